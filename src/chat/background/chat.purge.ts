import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RunDeletion, type Remains } from '../../runs/record/run.deletion';
import {
  storedObject,
  type StoredFields,
} from '../../runs/record/stored.fields';
import { CHAT } from './chat.queue';
import type { ChatReply } from '../dto/chat-response.dto';
import type { StoredCall, Turn } from '../turns/chat.turn';
import { invocationIdOf, resultField, turnField } from './chat-record.codec';

/** Tells what is to go with a chat: what its tools did, and the responses that its model was given to keep. */
@Injectable()
export class ChatPurge implements OnModuleInit {
  constructor(private readonly removal: RunDeletion) {}

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
      const made = storedObject<StoredCall>(fields[resultField(index, at)]);
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
