import { forwardedIn } from '../../llm/upstream/forwarded.headers';
import { derivedId } from '../../runs/run-id';
import type { ChatRequest } from '../dto/chat.dto';
import type { ChatOrigin } from '../loop/chat.runner';
import type { ToolCallView } from '../loop/chat.reply';
import type { ChatReply } from '../dto/chat-response.dto';
import type { StoredCall, Turn } from '../turns/chat.turn';
import { type Decision, readDecisions } from '../tools/approvals';

/** What the record of a chat holds of it. Each field is written once, so that the whole is never written anew. */
export interface StoredChat {
  request: ChatRequest;
  turns: Turn[];
  decisions: ReadonlyMap<string, Decision>;
}

export const turnField = (turn: number): string => `turn:${turn}`;
export const resultField = (turn: number, call: number): string =>
  `result:${turn}:${call}`;
/** Whether it was told that the call began, and up to where what it did. */
export const begunField = (turn: number, call: number): string =>
  `begun:${turn}:${call}`;
export const seenField = (turn: number, call: number): string =>
  `seen:${turn}:${call}`;

/** The invocation that a call begins, whoever makes it. */
export function invocationIdOf(
  chatId: string,
  { atMs }: Pick<Turn, 'atMs'>,
  turn: number,
  call: number,
): string {
  return derivedId('inv_', atMs, `${chatId} ${turn} ${call}`);
}

export function readChat(fields: Readonly<Record<string, string>>): StoredChat {
  const turns: Turn[] = [];
  for (let index = 0; fields[turnField(index)]; index += 1) {
    const turn = JSON.parse(fields[turnField(index)]) as Turn;
    const results = turn.calls.map((_, at) => {
      const json = fields[resultField(index, at)];
      return json ? (JSON.parse(json) as StoredCall) : undefined;
    });
    turns.push({ ...turn, results });
  }
  return {
    request: JSON.parse(fields.args) as ChatRequest,
    turns,
    decisions: readDecisions(fields),
  };
}

/** Where it comes from. */
export function readOrigin(
  fields: Readonly<Record<string, string>>,
): ChatOrigin {
  const { caller, request_id, without } = fields;
  return {
    caller: { name: caller || undefined },
    requestId: request_id || undefined,
    forwarded: forwardedIn(fields),
    ...(without && { excludedTools: JSON.parse(without) as string[] }),
  };
}

export function writeTurn(turn: Turn, index: number): Record<string, string> {
  return { [turnField(index)]: JSON.stringify({ ...turn, results: [] }) };
}

/** Without its token, which is on no record. */
export function writeResult(
  { results }: Turn,
  index: number,
  at: number,
): Record<string, string> {
  const result = results[at]!;
  const invocation = result.invocation && { ...result.invocation, token: '' };
  const kept = { ...result, invocation };
  return { [resultField(index, at)]: JSON.stringify(kept) };
}

/** All of it, of a chat that was in no record before. */
export function writeTurns(turns: readonly Turn[]): Record<string, string> {
  const fields = turns.flatMap((turn, index) => [
    writeTurn(turn, index),
    ...turn.results.map((result, at) =>
      result ? writeResult(turn, index, at) : {},
    ),
  ]);
  return Object.assign({}, ...fields) as Record<string, string>;
}

/** What the chat has come to, or waits for. */
export function readReply({
  response,
}: Readonly<Record<string, string>>): ChatReply | null {
  return response ? (JSON.parse(response) as ChatReply) : null;
}

/** Without the tokens of its calls. */
export function writeReply(reply: ChatReply): Record<string, string> {
  const tool_calls = reply.tool_calls.map((call: ToolCallView) => ({
    ...call,
    invocation_token: null,
  }));
  return { response: JSON.stringify({ ...reply, tool_calls }) };
}
