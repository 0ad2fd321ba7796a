import { forwardedIn } from '../../llm/upstream/forwarded-headers';
import { derivedId } from '../../runs/record/run-id';
import { scopesIn } from '../../runs/record/run-record';
import type { ChatRequest } from '../dto/chat.dto';
import type { ChatOrigin } from '../loop/chat-runner';
import type { ToolCallView } from '../turns/tool-call-view';
import type { ChatReply } from '../dto/chat-response.dto';
import type { StoredCall, Turn } from '../turns/chat-turn';
import { type Decision, readDecisions } from '../tools/approvals';
import {
  type ChatFields,
  type ResultField,
  resultField,
  type TurnField,
  turnField,
} from './chat-fields';

/** A chat as its record holds it. */
export interface StoredChat {
  request: ChatRequest;
  turns: Turn[];
  decisions: ReadonlyMap<string, Decision>;
}

/** The id of the run of a call; a worker that takes over derives the same. */
export function invocationIdOf(
  chatId: string,
  { atMs }: Pick<Turn, 'atMs'>,
  turn: number,
  call: number,
): string {
  return derivedId('inv_', atMs, `${chatId} ${turn} ${call}`);
}

export function readChat(fields: ChatFields): StoredChat {
  const turns: Turn[] = [];
  for (let json; (json = fields[turnField(turns.length)]);) {
    const index = turns.length;
    const turn = JSON.parse(json) as Turn;
    const results = turn.calls.map((_, at) => {
      const json = fields[resultField(index, at)];
      return json ? (JSON.parse(json) as StoredCall) : undefined;
    });
    turns.push({ ...turn, results });
  }
  return {
    request: JSON.parse(fields.args!) as ChatRequest,
    turns,
    decisions: readDecisions(fields),
  };
}

/** The request that it comes from. */
export function readOrigin(fields: ChatFields): ChatOrigin {
  const { caller, account, request_id, without } = fields;
  return {
    caller: {
      name: caller || undefined,
      scopes: scopesIn(fields),
      account: account || undefined,
    },
    requestId: request_id || undefined,
    forwarded: forwardedIn(fields),
    ...(without && { excludedTools: JSON.parse(without) as string[] }),
  };
}

export function writeTurn(
  turn: Turn,
  index: number,
): Record<TurnField, string> {
  return { [turnField(index)]: JSON.stringify({ ...turn, results: [] }) };
}

/** Without its token, which no record holds. */
export function writeResult(
  { results }: Turn,
  index: number,
  at: number,
): Record<ResultField, string> {
  const result = results[at]!;
  const invocation = result.invocation && { ...result.invocation, token: '' };
  const stored = { ...result, invocation };
  return { [resultField(index, at)]: JSON.stringify(stored) };
}

/** All turns of a chat that had no record before. */
export function writeTurns(
  turns: readonly Turn[],
): Record<TurnField | ResultField, string> {
  const fields = turns.flatMap((turn, index) => [
    writeTurn(turn, index),
    ...turn.results.map((result, at) =>
      result ? writeResult(turn, index, at) : {},
    ),
  ]);
  return Object.assign({}, ...fields) as Record<
    TurnField | ResultField,
    string
  >;
}

/** The reply of a chat that has ended or is suspended. */
export function readReply({ response }: ChatFields): ChatReply | null {
  return response ? (JSON.parse(response) as ChatReply) : null;
}

/** Without the tokens of its calls. */
export function writeReply(reply: ChatReply): { response: string } {
  const tool_calls = reply.tool_calls.map((call: ToolCallView) => ({
    ...call,
    invocation_token: null,
  }));
  return { response: JSON.stringify({ ...reply, tool_calls }) };
}
