import type {
  Response,
  ResponseOutputMessage,
} from 'openai/resources/responses/responses';
import { isObject } from '../../platform/message/call-arguments';
import { codePoints } from '../../platform/message/citation';
import { entriesIn, textsIn } from '../upstream/reply-fields';
import { movedByMarks, withoutMarks } from './citation-marks';
import { gapAfter } from './message-gap';
import { answersIn } from './responses-output';

/** A response whose answer is as a reader wants it: see `plainMessages`. */
export function withPlainMessages(response: Response): Response {
  const answers = answersIn(response.output);
  const plain = plainMessages(answers);
  return {
    ...response,
    output: entriesIn(response.output).map(
      (item) => plain[answers.indexOf(item as ResponseOutputMessage)] ?? item,
    ),
  };
}

/**
 * Messages without the marks of citations, and with a blank line before each that follows another. Annotations are where
 * their words are now.
 */
export function plainMessages(
  messages: readonly ResponseOutputMessage[],
): ResponseOutputMessage[] {
  let before = '';
  return messages.map((message) => {
    let gap = gapAfter(before);
    const parts: unknown[] = Array.isArray(message.content)
      ? message.content
      : [message.content];
    const content = parts.map((part) => {
      const plain = plainPart(part, gap);
      const text = textsIn(plain).join('');
      if (text !== '') gap = '';
      before += text;
      return plain;
    });
    return { ...message, content: content as ResponseOutputMessage['content'] };
  });
}

function plainPart(part: unknown, gap: string): unknown {
  const raw = textsIn(part).join('');
  const text = withoutMarks(raw);
  if (text === raw && (gap === '' || text === '')) return part;
  const shown = text === '' ? '' : gap + text;
  if (!isObject(part)) return shown;
  const { text: own, annotations } = part as Record<string, unknown>;
  if (typeof own !== 'string') return { ...part, refusal: shown };
  const by = shown.length - text.length;
  return {
    ...part,
    text: shown,
    annotations: movedAnnotations(annotations, raw, by),
  };
}

interface Range {
  start_index: number;
  end_index: number;
}

/** Those without a range, such as `file_citation`, stay as they are. A range beyond the text is dropped. */
function movedAnnotations(
  annotations: unknown,
  raw: string,
  by: number,
): object[] {
  const all = entriesIn(annotations as object[]);
  const length = codePoints(raw);
  const isRange = (one: object): one is Range => {
    const { start_index: start, end_index: end } = one as Partial<Range>;
    return Number(start) >= 0 && start! < end! && end! <= length;
  };
  const moved = movedByMarks(all.filter(isRange), raw).map((range) => ({
    ...range,
    start_index: range.start_index + by,
    end_index: range.end_index + by,
  }));
  return [...moved, ...all.filter((one) => !('start_index' in one))];
}
