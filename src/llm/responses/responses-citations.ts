import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import { isObject } from '../../platform/message/call-arguments';
import {
  type Citation,
  codePoints,
  distinctSources,
  type Source,
} from '../../platform/message/citation';
import { pageUrl } from '../upstream/cited-url';
import { entriesIn } from '../upstream/reply-fields';

/**
 * The citations of a text part; `before` is the number of code points of the whole text before it. Citations beyond the end
 * of the part, which some gateways invent, are omitted.
 */
export function citationsIn(
  part: { annotations?: unknown },
  text: string,
  before: number,
): Citation[] {
  // Offsets count code points: an emoji is one, but two units of a JavaScript string.
  const length = codePoints(text);
  return entriesIn(part.annotations as object[]).flatMap((annotation) => {
    const { type, url, title, start_index, end_index } = annotation as Record<
      string,
      unknown
    >;
    const page = pageUrl(url);
    if (type !== 'url_citation' || page === '') return [];
    const [start, end] = [Number(start_index), Number(end_index)];
    if (!(start >= 0 && start < end && end <= length)) return [];
    return {
      url: page,
      title: typeof title === 'string' ? title : '',
      start_index: before + start,
      end_index: before + end,
    };
  });
}

/** Cited pages first, then the other pages that searches found or opened; each once. */
export function sourcesIn(
  items: readonly ResponseOutputItem[] | null | undefined,
  citations: readonly Citation[],
): Source[] {
  const consulted = entriesIn(items).flatMap((item) => {
    if (item.type !== 'web_search_call') return [];
    const action = (isObject(item.action) ? item.action : {}) as {
      sources?: unknown;
    };
    return [action, ...entriesIn(action.sources as object[])];
  });
  return distinctSources([
    ...citations.map(({ url, title }) => ({ url, title })),
    ...consulted.flatMap((place) => {
      const { url, title } = place as { url?: unknown; title?: unknown };
      const page = pageUrl(url);
      return page === ''
        ? []
        : { url: page, title: typeof title === 'string' ? title : '' };
    }),
  ]);
}
