import type { Ask } from './ask';
import { readBrief } from './brief';
import type { Conversation } from './conversation';
import { wantsResearch } from './decide';
import { asksToLoop, steeredCalls } from './steering';

const CONVENTION = /"tool_name"[\s\S]*"arguments"/;
const QUESTION_PARAMETER = /\b(research_question|question|query)\b/;

/**
 * The reply of a model that knows its tools only from the prompt: `{"tool_name", "arguments"}` as its whole text, where the
 * instructions describe that convention and the message asks for research. Null where it should answer instead.
 */
export function promptedCall(ask: Ask, talk: Conversation): string | null {
  const told = `${ask.instructions}\n${talk.systemText}`;
  if (ask.functions.length > 0 || !CONVENTION.test(told)) return null;
  const loops = asksToLoop(talk.userText);
  if (talk.toolOutputs.length > 0 && !loops) return null;
  const steered = steeredCalls(talk.userText).at(0);
  if (steered)
    return `{"tool_name": ${JSON.stringify(steered.name)}, "arguments": ${steered.arguments}}`;
  const { searchText } = readBrief(talk.userText);
  if (!told.includes('deep_research')) return null;
  if (!loops && !wantsResearch(searchText)) return null;
  const parameter = QUESTION_PARAMETER.exec(told)?.[1] ?? 'research_question';
  return JSON.stringify({
    tool_name: 'deep_research',
    arguments: { [parameter]: searchText },
  });
}
