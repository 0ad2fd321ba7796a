import type {
  Response,
  ResponseOutputItem,
  ResponseOutputMessage,
} from 'openai/resources/responses/responses';
import { codePoints } from '../../platform/message/citation';
import { newCallId } from '../../platform/message/call-arguments';
import type { TurnText } from '../turns/turn-text';
import { entriesIn, textsIn } from '../upstream/reply-fields';
import { answersIn, readContent } from './responses-output';

/** A response with what its text is: thinking and calls are where a model with function calling puts them. */
export function withReadText(response: Response, turnText: TurnText): Response {
  const whole = readContent(response).text ?? '';
  const read = turnText.end(whole);
  if (!read) return response;
  const output = entriesIn(response.output);
  const own = output.some(({ type }) => type === 'function_call');
  const calls = own ? [] : read.calls.map(callItem);
  const answers = answersIn(output);
  const message = messageOf(answers, whole, read.text);
  return {
    ...response,
    ...(read.cut && { incomplete_details: { reason: 'max_output_tokens' } }),
    // The endpoint knows nothing of these calls: the next turn sends the whole conversation.
    id: calls.length > 0 ? '' : response.id,
    output: [
      ...(read.thinking ? [thought(read.thinking)] : []),
      ...output.flatMap((item): ResponseOutputItem[] => {
        if (item.type !== 'message' || !answers.includes(item)) return [item];
        return item === answers[0] && message ? [message] : [];
      }),
      ...calls,
    ],
  };
}

/** The items of a response that its endpoint accepts as input: not the thinking that was taken out of its text. */
export function sentBackItems({ output }: Response): ResponseOutputItem[] {
  return entriesIn(output).filter(
    (item) => !(item.type === 'reasoning' && item.id === ''),
  );
}

function callItem(call: {
  name: string;
  arguments: string;
}): ResponseOutputItem {
  return {
    type: 'function_call',
    call_id: newCallId(),
    name: call.name,
    arguments: call.arguments,
    status: 'completed',
  };
}

function thought(text: string): ResponseOutputItem {
  const summary = [{ type: 'summary_text' as const, text }];
  return { type: 'reasoning', id: '', summary };
}

/** The answers as one message, with the citations of its text where they are now. */
function messageOf(
  answers: readonly ResponseOutputMessage[],
  whole: string,
  text: string,
): ResponseOutputMessage | null {
  const [first] = answers;
  if (!first || text === '') return null;
  const removed = codePoints(whole.slice(0, Math.max(0, whole.indexOf(text))));
  let before = -removed;
  const annotations = answers.flatMap(({ content }) =>
    entriesIn(content).flatMap((part) => {
      const from = before;
      before += codePoints(textsIn(part).join(''));
      return part.type === 'output_text'
        ? entriesIn(part.annotations).map((one) => moved(one, from))
        : [];
    }),
  );
  const content = [{ type: 'output_text' as const, text, annotations }];
  return { ...first, content };
}

function moved<Annotation extends object>(
  annotation: Annotation,
  by: number,
): Annotation {
  const { start_index: start, end_index: end } = annotation as {
    start_index?: unknown;
    end_index?: unknown;
  };
  return {
    ...annotation,
    ...(typeof start === 'number' && { start_index: start + by }),
    ...(typeof end === 'number' && { end_index: end + by }),
  };
}
