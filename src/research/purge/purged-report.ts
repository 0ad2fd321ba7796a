import { urlKey } from '../../sources/search/url-key';
import type {
  AgentCitation,
  BoundSection,
  BoundSentence,
} from '../agent/agent.types';
import type { Read } from '../agent/text/shown-evidence';

/** A part of a report, as the journal has it. */
interface Emitted {
  citations?: AgentCitation[];
  sections?: BoundSection[];
}

/** Citations without the quotes of these pages, and without what they lack of them; undefined if there are none. */
export function purgedCitations<
  T extends { url: string; quote?: string; detail?: string },
>(citations: readonly T[], keys: ReadonlySet<string>): T[] | undefined {
  const isHeld = ({ url, quote }: T): boolean =>
    Boolean(quote) && keys.has(urlKey(url));
  if (!citations.some(isHeld)) return undefined;
  return citations.map((one) =>
    isHeld(one) ? { ...one, quote: '', detail: undefined, purged: true } : one,
  );
}

/** The notes that rest on these pages, by their id. */
export function notesOfPages(
  read: Pick<Read, 'sources' | 'notes'> | undefined,
  keys: ReadonlySet<string>,
): Set<string> {
  const { sources = [], notes = [] } = read ?? {};
  const gone = sources.filter(({ url }) => keys.has(urlKey(url)));
  const numbers = new Set(gone.map(({ number }) => number));
  return new Set(
    notes.flatMap(({ id, source }) => (numbers.has(source) ? [id] : [])),
  );
}

/** Without quotes of these pages, and without what sentences lack that rest on them. Undefined: it has neither. */
export function purgedReport(
  value: Emitted,
  keys: ReadonlySet<string>,
  notes: ReadonlySet<string>,
): Emitted | undefined {
  const { citations = [], sections = [] } = value;
  const cited = purgedCitations(citations, keys);
  const isHeld = ({ detail, noteIds }: BoundSentence): boolean =>
    Boolean(detail) && noteIds.some((id) => notes.has(id));
  const hasHeld = sections.some(({ sentences }) => sentences.some(isHeld));
  if (!cited && !hasHeld) return undefined;
  const purged = sections.map((section) => ({
    ...section,
    sentences: section.sentences.map((one) =>
      isHeld(one) ? { ...one, detail: undefined } : one,
    ),
  }));
  return {
    ...value,
    ...(cited && { citations: cited }),
    ...(hasHeld && { sections: purged }),
  };
}
