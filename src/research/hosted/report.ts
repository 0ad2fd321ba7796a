import type {
  Response,
  ResponseOutputItem,
  ResponseOutputMessage,
} from 'openai/resources/responses/responses';
import { plainMessages } from '../../llm/responses/plain-messages';
import {
  citationsIn,
  sourcesIn,
} from '../../llm/responses/responses-citations';
import { textsIn } from '../../llm/upstream/reply-fields';
import {
  type Citation,
  codePoints,
  type Source,
} from '../../platform/message/citation';
import { countIn } from '../../llm/prices/amount';
import type { ProgressKind } from '../../runs/record/progress';
import type { Progress, Usage } from '../../runs/record/run';
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

/** The texts of all messages, refusals included; without commentary. */
function readText(items: ResponseOutputItem[]): {
  text: string;
  citations: Citation[];
  refused: boolean;
} {
  let text = '';
  let refused = false;
  const citations: Citation[] = [];
  const messages = items.filter(
    (item): item is ResponseOutputMessage =>
      item.type === 'message' && item.phase !== 'commentary',
  );
  for (const { content } of plainMessages(messages))
    for (const part of content ?? []) {
      if (part.type === 'refusal') refused = true;
      const added = textsIn(part).join('');
      citations.push(...citationsIn(part as object, added, codePoints(text)));
      text += added;
    }
  return { text, citations, refused };
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
