import type {
  AgentReport,
  BoundSentence,
  Note,
} from '../../src/research/agent/agent.types';
import type { Spent } from '../../src/research/agent/journal/journal';
import { plainSentence } from '../../src/research/agent/text/clean-text';
import { answers, type Question } from './questions';
import type { ReadPart } from './parts';
import { pathOf, SITE } from './site';
import type { WrittenSentence } from './written';

/** Everything that is counted of one run. */
export interface Counts {
  questions: number;
  /** A sentence of the report gives the answer, and cites a page that has it. */
  answered: number;
  /** The run ended without a report. */
  unwritten: number;
  citations: number;
  /** Those of a sentence with the verdict `quote_matched`. */
  matched: number;
  /** Sentences with this verdict. */
  sentences: number;
  /** Of these, those that differ from their quotes, or whose quotes are not on the page. Of models that copy only. */
  false: number;
  facts: number;
  /** Facts in the quotes of the notes. */
  noted: number;
  /** Sentences that a model has copied from their note. */
  honest: number;
  /** Of these, those that are not in the report as `quote_matched`. */
  lost: number;
  /** Addresses in the report that neither are of the corpus nor stand on its pages. */
  inventedUrls: number;
  /** Numbers in sentences with the verdict `quote_matched` that their quotes do not have. */
  alteredNumbers: number;
  searches: number;
  pages: number;
  /** Of these, those that the run had read before. */
  repeated: number;
  /** Pages that have at least one fact of their question. */
  onSubject: number;
  /** Parts of pages that were read. */
  parts: number;
  /** Of these, those with a note. */
  partsNoted: number;
  calls: number;
  tokens: number;
}

/** A run as the evaluation sees it. */
export interface Ran {
  question: Question;
  report: AgentReport;
  text: string;
  spent: Spent;
  calls: number;
  written: readonly WrittenSentence[];
  parts: readonly ReadPart[];
  /** Texts of the pages of the corpus, by path. */
  texts: ReadonlyMap<string, string>;
}

const NUMBER = /\d+(?:[.,:]\d+)*/g;
/** A reference mark. */
const MARK = /\s*\[\d{1,3}\]/g;
const URL_IN_TEXT = /\bhttps?:\/\/[^\s()[\]<>"'`]+/g;

export function score(ran: Ran): Counts {
  const { question, report, text, spent, texts, written } = ran;
  const { notes, sections, sources } = report.evidence;
  const byId = new Map(notes.map((note) => [note.id, note]));
  const pageOf = ({ source }: Note): string =>
    texts.get(pathOf(sources[source - 1].url)) ?? '';
  const named = (ids: readonly string[]): Note[] =>
    ids.flatMap((id) => byId.get(id) ?? []);
  const isCopied = (words: string, ids: readonly string[]): boolean =>
    named(ids).some(
      (note) =>
        plain(note.quote) === plain(words) && has(pageOf(note), note.quote),
    );
  const sentences = sections.flatMap((section) => section.sentences);
  const matched = sentences.filter(
    ({ verdict }) => verdict === 'quote_matched',
  );
  const kept = new Set(matched.map((one) => plain(one.text)));
  const honest = written.filter((one) => isCopied(one.text, one.note_ids));
  const gives = ({ text: words, noteIds }: BoundSentence): boolean =>
    answers(question, words) &&
    named(noteIds).some((note) =>
      question.facts.some((fact) => has(pageOf(note), fact)),
    );
  const paths = sources.map(({ url }) => pathOf(url));
  return {
    questions: 1,
    answered: count(sentences.some(gives)),
    unwritten: count(text.trim() === ''),
    citations: report.citations.length,
    matched: report.citations.filter(
      ({ verdict }) => verdict === 'quote_matched',
    ).length,
    sentences: matched.length,
    false: matched.filter((one) => !isCopied(one.text, one.noteIds)).length,
    facts: question.facts.length,
    noted: question.facts.filter((fact) =>
      notes.some(({ quote }) => has(quote, fact)),
    ).length,
    honest: honest.length,
    lost: honest.filter((one) => !kept.has(plain(one.text))).length,
    inventedUrls: inventedUrls(text, texts).length,
    alteredNumbers: matched.flatMap((one) =>
      newNumbers(one.text, named(one.noteIds)),
    ).length,
    searches: spent.searches,
    pages: spent.pages,
    repeated: paths.length - new Set(paths).size,
    onSubject: paths.filter((path) =>
      question.facts.some((fact) => has(texts.get(path) ?? '', fact)),
    ).length,
    parts: ran.parts.length,
    partsNoted: ran.parts.filter((part) => isNoted(part, report)).length,
    calls: ran.calls,
    tokens: spent.input_tokens + spent.output_tokens,
  };
}

function isNoted({ url, start, end }: ReadPart, report: AgentReport): boolean {
  const { notes, sources } = report.evidence;
  return notes.some(
    (note) =>
      sources[note.source - 1].url === url &&
      note.start < end &&
      start < note.end,
  );
}

/** The sum of the runs of one model. */
export function total(all: readonly Counts[]): Counts {
  const names = Object.keys(all[0]) as (keyof Counts)[];
  const sum = (name: keyof Counts): number =>
    all.reduce((before, counts) => before + counts[name], 0);
  return Object.fromEntries(
    names.map((name) => [name, sum(name)]),
  ) as unknown as Counts;
}

function inventedUrls(
  text: string,
  texts: ReadonlyMap<string, string>,
): string[] {
  const urls = (text.match(URL_IN_TEXT) ?? []).map((url) =>
    url.replace(/[.,;:!?]+$/, ''),
  );
  return urls.filter((url) =>
    url.startsWith(`${SITE}/`)
      ? !texts.has(pathOf(url))
      : ![...texts.values()].some((page) => page.includes(url)),
  );
}

function newNumbers(text: string, cited: readonly Note[]): string[] {
  const known = new Set(
    cited.flatMap(({ quote }) => quote.match(NUMBER) ?? []),
  );
  return (text.match(NUMBER) ?? []).filter((number) => !known.has(number));
}

/** As a sentence of a report: the agent takes links and markup out of it, which is no fault of a model. */
const plain = (text: string): string =>
  folded(plainSentence(text.replace(MARK, '')));

/** Whole words, in one form: a report has neither reference marks nor the line breaks of its page. */
export function has(page: string, words: string): boolean {
  return ` ${folded(page)} `.includes(` ${folded(words)} `);
}

const MAX_KNOWN = 20_000;
const known = new Map<string, string>();

function folded(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(MARK, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, words);
  return words;
}

const count = (is: boolean): number => (is ? 1 : 0);
