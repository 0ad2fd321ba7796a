import type { MessageDto, MessageToolCallDto } from '../dto/message.dto';

/** One earlier turn, as plain data. */
type Call = Pick<MessageToolCallDto, keyof MessageToolCallDto>;
export type EarlierTurn = Omit<MessageDto, 'tool_calls'> & {
  tool_calls?: Call[];
};

/** The same messages, in which every call has an id: calls without one are answered in their order, by messages without one. */
export function withCallIds(messages: readonly EarlierTurn[]): EarlierTurn[] {
  const taken = new Set(
    messages.flatMap(({ tool_calls }) =>
      (tool_calls ?? []).map(({ id }) => id),
    ),
  );
  const waiting: string[] = [];
  let count = 0;
  const fresh = (): string => {
    let id: string;
    do id = `call_${(count += 1)}`;
    while (taken.has(id));
    waiting.push(id);
    return id;
  };
  return messages.map((message) => {
    const { role, tool_calls, tool_call_id } = message;
    if (role === 'tool' && !tool_call_id)
      return { ...message, tool_call_id: waiting.shift() };
    if (!tool_calls?.some(({ id }) => !id)) return message;
    const calls = tool_calls.map((call) => ({
      ...call,
      id: call.id || fresh(),
    }));
    return { ...message, tool_calls: calls };
  });
}
