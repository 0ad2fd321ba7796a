import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  InvocationRemoval,
  type Remains,
} from '../tool-invocations/invocation.removal';
import {
  storedObject,
  type StoredFields,
} from '../tool-invocations/stored.fields';
import { CHAT } from './chat.queue';
import type { ChatReply } from './chat-response.dto';
import type { KeptCall, Turn } from './chat.turn';
import { invocationIdOf, resultField, turnField } from './kept.chat';

/** Tells what is to go with a chat: what its tools did, and the responses that its model was given to keep. */
@Injectable()
export class ChatRemains implements OnModuleInit {
  constructor(private readonly removal: InvocationRemoval) {}

  onModuleInit(): void {
    this.removal.register({
      remains: (id, fields) =>
        fields.tool === CHAT ? remainsOf(id, fields) : {},
    });
  }
}

export function remainsOf(id: string, fields: StoredFields): Remains {
  const invocations: string[] = [];
  const responses: (string | null | undefined)[] = [];
  for (let index = 0; fields[turnField(index)]; index += 1) {
    const turn = storedObject<Turn>(fields[turnField(index)]);
    responses.push(turn?.responseId);
    for (const at of turn?.calls?.keys() ?? []) {
      const made = storedObject<KeptCall>(fields[resultField(index, at)]);
      invocations.push(
        made?.invocation?.id ?? invocationIdOf(id, turn!, index, at),
      );
    }
  }
  responses.push(storedObject<ChatReply>(fields.response)?.response_id);
  return {
    invocations,
    responses: responses.filter((one) => typeof one === 'string'),
  };
}
