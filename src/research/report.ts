import type {
  Response,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import type {
  Citation,
  Progress,
  Source,
  Usage,
} from '../tool-invocations/invocation';
import { stepOf } from './steps';

/** What a response object holds, in the terms of the record. */
export interface Report {
  text: string;
  citations: Citation[];
  sources: Source[];
  usage: Usage | null;
  progress: Progress;
}

/** Reads a response in whatever state it is. Tolerates what gateways leave out. */
export function readReport(response: Response): Report {
  const items = response.output ?? [];
  const { text, citations } = readText(items);
  const steps = items.map(stepOf).filter((step) => step !== undefined);
  return {
    text,
    citations,
    sources: readSources(items, citations),
    usage: readUsage(response, steps.filter(({ call }) => call).length),
    progress: {
      searches: steps.filter(({ kind }) => kind === 'web_search').length,
      pages_opened: steps.filter(({ kind }) => kind === 'open_page').length,
      last_step: steps.at(-1)?.detail ?? null,
    },
  };
}

/** The texts of all messages, joined, but for what the model said in between. */
function readText(items: ResponseOutputItem[]): {
  text: string;
  citations: Citation[];
} {
  let text = '';
  const citations: Citation[] = [];
  for (const item of items) {
    if (item.type !== 'message' || item.phase === 'commentary') continue;
    for (const part of item.content ?? []) {
      if (part.type !== 'output_text') continue;
      // Offsets count code points: an emoji is one, though two in a JavaScript string.
      const before = codePoints(text);
      const length = codePoints(part.text);
      for (const annotation of part.annotations ?? []) {
        if (annotation.type !== 'url_citation') continue;
        const { url, title, start_index, end_index } = annotation;
        if (!(
          start_index >= 0 &&
          start_index < end_index &&
          end_index <= length
        ))
          continue;
        citations.push({
          url: cleanUrl(url),
          title: title ?? '',
          start_index: before + start_index,
          end_index: before + end_index,
        });
      }
      text += part.text;
    }
  }
  return { text, citations };
}

/** Cited pages first, then the others that were consulted; each once. */
function readSources(
  items: ResponseOutputItem[],
  citations: Citation[],
): Source[] {
  const titles = new Map<string, string>();
  for (const { url, title } of citations)
    if (!titles.get(url)) titles.set(url, title);
  for (const item of items) {
    if (item.type !== 'web_search_call' || !item.action) continue;
    const { action } = item;
    const urls =
      action.type === 'search'
        ? (action.sources ?? []).map((source) => source.url)
        : [action.url];
    for (const url of urls)
      if (url && !titles.has(cleanUrl(url))) titles.set(cleanUrl(url), '');
  }
  return [...titles].map(([url, title]) => ({ url, title }));
}

function readUsage({ usage }: Response, calls: number): Usage | null {
  if (!usage) return null;
  const { input_tokens, output_tokens, total_tokens }: Partial<typeof usage> =
    usage;
  const [input, output] = [input_tokens ?? 0, output_tokens ?? 0];
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: total_tokens ?? input + output,
    tool_calls: calls,
  };
}

/** The same page with and without the endpoint's tracking mark is one source. */
function cleanUrl(url: string): string {
  return url.replace(
    /([?&])utm_source=openai(&|$)/,
    (_, before: string, after: string) => (after ? before : ''),
  );
}

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
