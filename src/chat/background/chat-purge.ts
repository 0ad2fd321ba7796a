import type { Attachments } from '../../runs/queue/run-kinds';
import { storedObject } from '../../runs/record/stored-fields';
import type { ChatReply } from '../dto/chat-response.dto';
import type { StoredCall, Turn } from '../turns/chat-turn';
import { invocationIdOf } from './chat-record-codec';
import { type ChatFields, resultField, turnField } from './chat-fields';

/** What is removed together with a chat: the runs of its tools, and the responses that its model has stored. */
export function attachmentsOf(id: string, fields: ChatFields): Attachments {
  const runs: string[] = [];
  const responses: (string | null | undefined)[] = [];
  for (let index = 0; fields[turnField(index)]; index += 1) {
    const turn = storedObject<Turn>(fields[turnField(index)]);
    responses.push(turn?.responseId);
    for (const at of turn?.calls?.keys() ?? []) {
      const call = storedObject<StoredCall>(fields[resultField(index, at)]);
      runs.push(call?.invocation?.id ?? invocationIdOf(id, turn!, index, at));
    }
  }
  responses.push(storedObject<ChatReply>(fields.response)?.response_id);
  return {
    runs,
    responses: responses.filter((one) => typeof one === 'string'),
  };
}
