import { urlKey } from '../../../sources/search/url-key';
import type { Candidate, SearchHit, SearchQuery } from '../agent-ports';
import { hashOf } from '../journal/journal-entries';
import { cut } from '../prompts/prompt';

const MAX_SNIPPET = 300;
const MAX_TITLE = 300;

/** A hit as the journal keeps it. @param rank its place among the hits, from 0. */
export function candidateOf(
  hit: SearchHit,
  query: SearchQuery,
  rank: number,
): Candidate {
  const { title, publishedAt, content } = hit;
  const { url, fragment } = dividedAddress(hit.url);
  const snippet = cut(hit.snippet, MAX_SNIPPET).toWellFormed();
  return {
    url,
    title: title.slice(0, MAX_TITLE).toWellFormed(),
    ...(publishedAt && { publishedAt }),
    private: query.scope === 'private',
    ...(snippet && { snippet }),
    ...(fragment && { fragment }),
    query: query.text,
    rank,
    // Its provider knows it by the address that it gave.
    ...(content !== undefined && { url: hit.url, held: query }),
  };
}

/** Equal for the candidates of one page. */
export function pageKey({ url }: Candidate): string {
  return urlKey(url);
}

/** A hash of what a page is opened for: the query that found it, and the place that the search names, which may quote the page. */
export function soughtBy({ query, fragment }: Candidate): string {
  return hashOf({ query, fragment });
}

/** The candidates of each page, in the order of the pages' first ones. */
export function byPage<T>(
  items: readonly T[],
  candidate: (item: T) => Candidate,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = pageKey(candidate(item));
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** Without `www.`; empty for what has no host, like a document. */
export function hostOf({ url }: Candidate): string {
  if (!URL.canParse(url)) return '';
  return new URL(url).hostname.replace(/^www\./, '');
}

/** A fragment that begins with `!` is part of a page's address. */
function dividedAddress(address: string): { url: string; fragment: string } {
  const at = address.indexOf('#');
  if (at === -1 || address[at + 1] === '!')
    return { url: address, fragment: '' };
  return { url: address.slice(0, at), fragment: address.slice(at + 1) };
}
