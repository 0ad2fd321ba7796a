import { paraphrasesOf } from '../../sandbox/plain/paraphrases';
import type {
  AgentCitation,
  AgentReport,
  BoundSentence,
  Note,
} from '../../src/research/agent/agent.types';
import type { Spent } from '../../src/research/agent/journal/journal';
import { plainSentence } from '../../src/research/agent/text/clean-text';
import { codePoints } from '../../src/platform/message/citation';
import { withoutSourceList } from '../../src/report/source-list';
import { ACCEPTED } from '../verdicts/figures';
import { covered, criteriaOf, type Vocabulary } from './criteria';
import { answers, type Question } from './questions';
import type { ReadPart } from './parts';
import { pathOf, SITE } from './site';
import type { WrittenSentence } from '../../src/research/agent/prompts/section.prompt';

/** Everything that is counted of one run. */
export interface Counts {
  questions: number;
  /** A sentence of the report gives the answer, and cites a page that has it. */
  answered: number;
  /** The run ended without a report. */
  unwritten: number;
  /** Of the brief: what a good answer must contain. */
  criteria: number;
  /** Of these, those that a cited note serves. */
  covered: number;
  citations: number;
  /** Those of a sentence that holds by its verdict. */
  matched: number;
  /** Sentences that hold. */
  sentences: number;
  /** Of these, those that differ from their quotes and are no paraphrase by the sandbox, or whose quotes are not on the page. Of its models only. */
  false: number;
  facts: number;
  /** Facts in the quotes of the notes. */
  noted: number;
  /** Sentences that a model has copied from their note, or that the sandbox has paraphrased. */
  honest: number;
  /** Of these, those that are not in the report as sentences that hold. */
  lost: number;
  /** Of these, those that nothing decided on. */
  unchecked: number;
  /** Addresses in the report that neither are of the corpus nor stand on its pages. */
  inventedUrls: number;
  /** Numbers in sentences that hold by their verdict that their quotes do not have. */
  alteredNumbers: number;
  /** Sentences of the report, whatever their verdict. */
  said: number;
  /** Of these, those with the same words as an earlier one. */
  saidAgain: number;
  /** Of the report, in code points. */
  characters: number;
  /** Of these, those of references to sources. */
  linked: number;
  searches: number;
  pages: number;
  /** Sources that the run had read before. */
  repeated: number;
  /** Pages that are sources of the report. */
  sources: number;
  /** Of these, those that have a fact of their question, or are of the document that its page is of. */
  onSubject: number;
  /** Of these, those that have a fact of their question. */
  withFact: number;
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
  words: Vocabulary;
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
  const isHonest = (words: string, ids: readonly string[]): boolean => {
    const own = named(ids);
    const isSame = (one: string): boolean => plain(one) === plain(words);
    const isOnPage = (note: Note): boolean => has(pageOf(note), note.quote);
    return (
      own.some((note) => isSame(note.quote) && isOnPage(note)) ||
      (paraphrasesOf(own.map(({ quote }) => quote)).some(isSame) &&
        own.every(isOnPage))
    );
  };
  const sentences = sections.flatMap((section) => section.sentences);
  const matched = sentences.filter(
    ({ verdict }) => verdict !== undefined && ACCEPTED.has(verdict),
  );
  const kept = new Set(matched.map((one) => plain(one.text)));
  const open = new Set(
    sentences
      .filter(({ verdict }) => verdict === 'unchecked')
      .map((one) => plain(one.text)),
  );
  const honest = written.filter((one) => isHonest(one.text, one.note_ids));
  const lost = honest.filter((one) => !kept.has(plain(one.text)));
  const gives = ({ text: words, noteIds }: BoundSentence): boolean =>
    answers(question, words) &&
    named(noteIds).some((note) =>
      question.facts.some((fact) => has(pageOf(note), fact)),
    );
  // An honest paraphrase rounds.
  const altered = matched.filter((one) => !isHonest(one.text, one.noteIds));
  const paths = sources.map(({ url }) => pathOf(url));
  const hasFact = (path: string): boolean =>
    question.facts.some((fact) => has(texts.get(path) ?? '', fact));
  const criteria = criteriaOf(report, question.question);
  const said = sentences.map((one) => plain(one.text));
  return {
    questions: 1,
    answered: count(sentences.some(gives)),
    unwritten: count(text.trim() === ''),
    criteria: criteria.length,
    covered: covered(criteria, report, ran.words).length,
    citations: report.citations.length,
    matched: report.citations.filter(
      ({ verdict }) => verdict !== undefined && ACCEPTED.has(verdict),
    ).length,
    sentences: matched.length,
    false: altered.length,
    facts: question.facts.length,
    noted: question.facts.filter((fact) =>
      notes.some(({ quote }) => has(quote, fact)),
    ).length,
    honest: honest.length,
    lost: lost.length,
    unchecked: lost.filter((one) => open.has(plain(one.text))).length,
    inventedUrls: inventedUrls(text, texts).length,
    alteredNumbers: altered.flatMap((one) =>
      newNumbers(one.text, [
        ...named(one.noteIds).flatMap(({ quote, title, headings = [] }) => [
          quote,
          title,
          ...headings,
        ]),
        // Conclusions may have those of the user's own case.
        ...(one.kind === 'judgement' ? [question.question] : []),
      ]),
    ).length,
    said: said.length,
    saidAgain: said.length - new Set(said).size,
    characters: codePoints(text),
    linked: linkedIn(text, report.citations),
    searches: spent.searches,
    pages: spent.pages,
    repeated: paths.length - new Set(paths).size,
    sources: paths.length,
    onSubject: paths.filter(
      (path) => hasFact(path) || documentOf(path) === documentOf(question.page),
    ).length,
    withFact: paths.filter(hasFact).length,
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

function newNumbers(text: string, given: readonly string[]): string[] {
  const known = new Set(given.flatMap((one) => one.match(NUMBER) ?? []));
  return (text.match(NUMBER) ?? []).filter((number) => !known.has(number));
}

/** Code points of the marks of sources, and of the list that says what they stand for. */
function linkedIn(text: string, citations: readonly AgentCitation[]): number {
  const marks = new Map(
    citations.map((one) => [one.start_index, one.end_index - one.start_index]),
  );
  const list = codePoints(text) - codePoints(withoutSourceList(text));
  return [...marks.values()].reduce((sum, one) => sum + one, list);
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

/** The folder of a page: its manual. */
const documentOf = (path: string): string => path.split('/')[0];

const count = (is: boolean): number => (is ? 1 : 0);
