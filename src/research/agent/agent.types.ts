import type { ErrorCode } from '../../platform/errors';
import type { Citation, Source } from '../../platform/message/citation';
import type {
  ResearchArguments,
  Verify,
} from '../arguments/research-arguments';
import type { Budget, Depth } from '../arguments/budget';
import type { CheckedBy, Verdict } from '../../sources/evidence/verdict';
import type { Direction, PlanDecision } from '../../runs/record/stored-plan';

/** A provider, or `page`, and the code of its failure. */
export interface Tried {
  provider: string;
  fault: string;
}

export interface ResearchTask {
  args: ResearchArguments;
  depth: 'auto' | Depth;
  verify: Verify;
  budget: Budget;
  /** When the run is ended from outside, by the clock of `ports.now`. */
  deadlineMs: number;
  /** On the plan of a run that is reviewed, once it was made. */
  planDecision?: PlanDecision;
}

/** What a note says. */
export const NOTE_KINDS = [
  'fact',
  'number',
  'definition',
  'opinion',
  'advice',
  'date',
] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

export interface Brief {
  goal: string;
  sub_questions: string[];
  language: string;
  recency: 'any' | 'year' | 'month' | 'week' | 'day';
  excluded: string[];
  depth: Depth;
  /** What the user asked the report to be or to hold: at most eight short texts. Briefs of earlier releases have none. */
  order?: string[];
  /** What a good answer must contain: at most eight. */
  criteria?: string[];
}

/** A range of a page's text, in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

export interface Plan {
  directions: Direction[];
}

/** A statement and the words of a page that it rests on. Offsets are UTF-16 units of the page's text. */
export interface Note {
  id: string;
  /** In the words of the reader: no evidence. */
  claim: string;
  kind: NoteKind;
  /** 3: it answers the brief; 1: it is background. */
  importance: number;
  /** Whole sentences of the page. */
  quote: string;
  /** Number of its source, from 1. */
  source: number;
  title: string;
  date?: string;
  start: number;
  end: number;
  /** The page's text around the quote. */
  window: string;
  /** That the quote stands under, the outermost first. */
  headings?: string[];
  /** The sentence before the quote; of a table row, the first row of its table. */
  before?: string;
  /** Its page was purged: it has no words any more. */
  purged?: true;
}

/** A page or document that was read. */
export interface ReadSource extends Source {
  number: number;
  sha256: string;
  fetchedAt: string;
  language?: string;
  /** On which it was published, as the search has it. */
  date?: string;
  private: boolean;
  purged?: true;
}

/**
 * What a sentence is. Its notes state a *fact*; a *judgement* is a conclusion, comparison or recommendation that rests on them;
 * *absent* says what was looked for and not found; a *link* leads on and claims nothing.
 */
export const SENTENCE_KINDS = ['fact', 'judgement', 'absent', 'link'] as const;
export type SentenceKind = (typeof SENTENCE_KINDS)[number];

/** A sentence, an item of a list, or a cell of a table. */
export interface BoundSentence {
  text: string;
  noteIds: string[];
  /** Absent: a fact. */
  kind?: SentenceKind;
  /** Undefined where nothing was to be checked. */
  verdict?: Verdict;
  checkedBy?: CheckedBy;
  /** The word or phrase that differs, or what is missing: at most 200 characters. */
  detail?: string;
}

/** A part of a section. Sentences are named by their place in it; in a table `EMPTY_CELL` is none. */
export type LayoutBlock =
  | { type: 'paragraph'; sentences: number[] }
  | { type: 'list'; ordered: boolean; items: number[] }
  /** `heads` are the titles of the rows; the first of `columns` stands above them. */
  | { type: 'table'; columns: string[]; heads: string[]; rows: number[][] }
  | { type: 'heading'; text: string };

export const EMPTY_CELL = -1;

export interface BoundSection {
  /** Empty for the answer, and where a title held what its notes do not. */
  title: string;
  /** A limit or a failure left it to its notes, which stand in its place. */
  unwritten?: true;
  /** In reading order. */
  sentences: BoundSentence[];
  /** Absent: the form that the format has. */
  layout?: LayoutBlock[];
}

export interface AgentCitation extends Citation {
  quote: string;
  source: number;
  verdict?: Verdict;
  checked_by?: CheckedBy;
  detail?: string;
}

export interface Contradiction {
  note_ids: string[];
  about: string;
}

export interface AgentReport {
  status: 'completed' | 'incomplete' | 'failed';
  code?: ErrorCode;
  /** Safe to show: what was tried. */
  message?: string;
  citations: AgentCitation[];
  sources: Source[];
  limitsReached: string[];
  /** That wrote the text, if there is any. */
  model?: string;
  evidence: {
    brief?: Brief;
    plan?: Plan;
    notes: Note[];
    contradictions: Contradiction[];
    sections: BoundSection[];
    sources: ReadSource[];
    /** The name of the model that judged the sentences; undefined where none was to. */
    verifier?: string;
    /** Searches and pages that failed. */
    failed: { what: string; tried: Tried[] }[];
  };
}
