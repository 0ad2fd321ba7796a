import { urlKey } from '../../sources/search/url-key';
import type { Candidate } from '../agent/agent-ports';
import type { Note } from '../agent/agent.types';
import { isInherited, sortOf } from '../agent/journal/inheritance';
import type { Judgement } from '../agent/prompts/verify.prompt';
import { hashOf } from '../agent/journal/journal-entries';
import { EMITTED, EVIDENCE, type Read } from '../agent/text/shown-evidence';
import { notesOfPages, purgedReport } from './purged-report';

/** JSON by field of a journal. */
export type Entries = ReadonlyMap<string, string>;

interface Entry {
  field: string;
  sort: string;
  input: string;
  value: Record<string, unknown>;
  settled: object;
}

/** Sorts of steps that have words of pages, or the addresses of them. */
const SORTS = ['search', 'page', 'read', 'verify'];

/** Whether an entry can hold anything of a page. */
export function mayHoldPage(field: string): boolean {
  if (field.includes('#')) return false;
  if (field === EVIDENCE || EMITTED.includes(field)) return true;
  return SORTS.includes(sortIn(field));
}

/** The keys under which a run knows these pages: also those of the addresses that they redirect to. */
export function keysOf(
  entries: Entries,
  addresses: readonly string[],
): Set<string> {
  const keys = new Set(addresses.map(urlKey));
  const all = [...entries].flatMap(entryOf);
  const inputs = new Set(addresses.map((url) => hashOf({ url })));
  for (const { sort, value } of all) {
    const { hits = [] } = value as { hits?: { url: string }[] };
    if (sort !== 'search') continue;
    for (const { url } of hits)
      if (keys.has(urlKey(url))) inputs.add(hashOf({ url }));
  }
  for (const { sort, input, value } of all) {
    const { head } = value as { head?: { url: string } };
    if (sort === 'page' && head && inputs.has(input))
      keys.add(urlKey(head.url));
  }
  return keys;
}

/** The same entries without the quotes, notes and excerpts of these pages. Addresses, titles and hashes stay. */
export function purgedEntries(
  entries: Entries,
  keys: ReadonlySet<string>,
): Map<string, string> {
  const purged = new Map(entries);
  const all = [...entries].flatMap(entryOf);
  const read = all.find(({ field }) => field === EVIDENCE)?.value;
  const gone = notesOfPages(read as Read | undefined, keys);
  for (const entry of all) {
    const value = purgedValue(entry, keys, gone);
    if (value)
      purged.set(entry.field, JSON.stringify({ ...entry.settled, value }));
  }
  return purged;
}

function sortIn(field: string): string {
  return sortOf(
    isInherited(field) ? field.slice(field.indexOf(':') + 1) : field,
  );
}

function entryOf([field, json]: [string, string]): Entry[] {
  const settled = JSON.parse(json) as { input: string; value?: unknown };
  const { input, value } = settled;
  if (typeof value !== 'object' || value === null) return [];
  const held = value as Record<string, unknown>;
  return [{ field, sort: sortIn(field), input, value: held, settled }];
}

/** Undefined: it holds nothing of these pages. */
function purgedValue(
  { field, sort, value }: Entry,
  keys: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): object | undefined {
  if (field === EVIDENCE)
    return purgedEvidence(value as unknown as Read, keys, gone);
  if (EMITTED.includes(field)) return purgedReport(value, keys, gone);
  if (sort === 'search') return purgedHits(value, keys);
  if (sort === 'verify')
    return gone.size > 0 ? purgedAnswers(value) : undefined;
  if (sort !== 'read') return undefined;
  const { kept } = value as { kept?: { url?: string; purged?: true } };
  if (!kept?.url || kept.purged || !keys.has(urlKey(kept.url)))
    return undefined;
  const nothing = { url: kept.url, found: [], purged: true };
  return { ...value, kept: nothing };
}

/** A verifier copies words of several pages: none of them stays. */
function purgedAnswers(value: Entry['value']): object | undefined {
  const { kept } = value as { kept?: { answers?: Judgement[] } };
  const { answers = [] } = kept ?? {};
  if (answers.every(({ words }) => words.length === 0)) return undefined;
  const nothing = { words: [], differs: '', expression: '' };
  const purged = answers.map((one) => ({ ...one, ...nothing }));
  return { ...value, kept: { ...kept, answers: purged } };
}

/** A fragment may quote its page, as excerpts do. */
function purgedHits(
  value: Entry['value'],
  keys: ReadonlySet<string>,
): object | undefined {
  const { hits = [] } = value as { hits?: Candidate[] };
  const isHeld = ({ url, snippet, fragment }: Candidate): boolean =>
    Boolean(snippet ?? fragment) && keys.has(urlKey(url));
  if (!hits.some(isHeld)) return undefined;
  const purged = hits.map((hit) => {
    if (!isHeld(hit)) return hit;
    const { snippet: _, fragment: __, ...kept } = hit;
    return kept;
  });
  return { ...value, hits: purged };
}

function purgedEvidence(
  read: Read,
  keys: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Read | undefined {
  const sources = read.sources.map((source) =>
    keys.has(urlKey(source.url))
      ? { ...source, purged: true as const }
      : source,
  );
  if (sources.every(({ purged }, at) => purged === read.sources[at].purged))
    return undefined;
  const notes = read.notes.map((note) =>
    gone.has(note.id) ? withoutWords(note) : note,
  );
  const contradictions = read.contradictions.map((one) =>
    one.note_ids.some((id) => gone.has(id)) ? { ...one, about: '' } : one,
  );
  return { ...read, sources, notes, contradictions };
}

function withoutWords(note: Note): Note {
  const { headings: _, before: _before, ...rest } = note;
  return { ...rest, claim: '', quote: '', window: '', purged: true };
}
