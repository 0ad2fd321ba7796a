import type {
  Response,
  ResponseOutputItem,
  ResponseOutputMessage,
} from 'openai/resources/responses/responses';
import { movedByMarks, withoutMarks } from '../../llm/responses/citation-marks';
import {
  citationsIn,
  sourcesIn,
} from '../../llm/responses/responses-citations';
import {
  type Citation,
  codePoints,
  moved,
  type Source,
} from '../../platform/message/citation';
import { countIn } from '../../llm/prices/amount';
import type { ProgressKind } from '../../runs/record/progress';
import type { Progress, Usage } from '../../runs/record/run';
import { gapAfter } from './record/message-gap';
import { stepOf } from './record/progress-steps';

/** The content of a response, in the terms of the record. */
export interface Report {
  text: string;
  citations: Citation[];
  sources: Source[];
  usage: Usage | null;
  progress: Progress;
  /** The model refuses to answer; its words are the text. */
  refused: boolean;
  /** A search, an opened page, a call of a data source or a source is in the response. */
  searched: boolean;
  /** The text is a question to the caller instead of a report. */
  asks: boolean;
}

const LOOKS_UP: readonly ProgressKind[] = [
  'web_search',
  'open_page',
  'find_in_page',
  'file_search',
  'mcp',
];
/** A report is longer, even if it ends with the offer of another one. */
const MAX_QUESTION = 2_000;

/** Reads a response in any state. Any field may be missing, as some gateways leave fields out. */
export function readReport(response: Response): Report {
  const items = response.output ?? [];
  const { text, citations, refused } = readText(items);
  const steps = items.map(stepOf).filter((step) => step !== undefined);
  const sources = sourcesIn(items, citations);
  const searched =
    sources.length > 0 || steps.some(({ kind }) => LOOKS_UP.includes(kind));
  return {
    text,
    citations,
    refused,
    searched,
    asks: !searched && !refused && isQuestion(text),
    sources,
    usage: readUsage(response, steps.filter(({ call }) => call).length),
    progress: {
      searches: steps.filter(({ kind }) => kind === 'web_search').length,
      pages_opened: steps.filter(({ kind }) => kind === 'open_page').length,
      last_step: steps.at(-1)?.detail ?? null,
    },
  };
}

function isQuestion(text: string): boolean {
  return text.length <= MAX_QUESTION && /[?？][\s*_)"”’]*$/.test(text);
}

/** The texts of all messages, refusals included, with a blank line between them; without marks and commentary. */
function readText(items: ResponseOutputItem[]): {
  text: string;
  citations: Citation[];
  refused: boolean;
} {
  let text = '';
  let refused = false;
  const citations: Citation[] = [];
  for (const item of items) {
    if (item.type !== 'message' || item.phase === 'commentary') continue;
    let gap = gapAfter(text);
    for (const part of item.content ?? []) {
      if (part.type === 'refusal') refused = true;
      const raw = rawText(part);
      const added = withoutMarks(raw);
      if (added === '') continue;
      text += gap;
      gap = '';
      const cited =
        part.type === 'output_text' ? citationsIn(part, raw, 0) : [];
      citations.push(...moved(movedByMarks(cited, raw), codePoints(text)));
      text += added;
    }
  }
  return { text, citations, refused };
}

function rawText(part: ResponseOutputMessage['content'][number]): string {
  if (part.type === 'refusal') return part.refusal ?? '';
  return part.type === 'output_text' ? (part.text ?? '') : '';
}

function readUsage({ usage }: Response, calls: number): Usage | null {
  if (!usage) return null;
  const { input_tokens, output_tokens, total_tokens }: Partial<typeof usage> =
    usage;
  const input = countIn(input_tokens ?? 0);
  const output = countIn(output_tokens ?? 0);
  if (input === undefined || output === undefined) return null;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: countIn(total_tokens) ?? input + output,
    tool_calls: calls,
  };
}
