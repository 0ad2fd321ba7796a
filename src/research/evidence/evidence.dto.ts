import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  NOTE_KINDS,
  type NoteKind,
  SENTENCE_KINDS,
  type SentenceKind,
} from '../agent/agent.types';
import { DEPTHS } from '../arguments/budget';
import {
  CHECKED_BY,
  type CheckedBy,
  type Verdict,
  VERDICTS,
} from '../../sources/evidence/verdict';

/** Schema of how many sentences have each verdict. */
export const COUNTED_VERDICTS = {
  type: 'object',
  properties: Object.fromEntries(
    VERDICTS.map((one) => [one, { type: 'integer' }]),
  ),
} satisfies ApiPropertyOptions;

/** Words of a source. */
export class QuoteDto {
  note_id: string;

  /** What the quote says, in the words of the model. */
  claim: string;

  /** The exact words of the source. */
  quote: string;

  /** The text of the source around the quote. */
  window: string;

  /** UTF-16 units of the text of the source. */
  start: number;

  end: number;

  /** What the claim is. */
  @ApiProperty({ enum: NOTE_KINDS })
  kind?: NoteKind;

  /** 3: it answers the question; 1: it is background. */
  @ApiProperty({ type: 'integer' })
  importance?: number;

  /** Of the source, above the quote, the outermost first. */
  headings?: string[];

  /** The sentence before the quote; of a table row, the first row of its table. */
  before?: string;

  /** On which the source was published, as the search has it: `2026-01-31`. */
  date?: string;

  /** The page was purged: claim, quote and window are empty. */
  purged?: boolean;
}

/** A page or document that was read. */
export class ReadSourceDto {
  /** From 1; what a citation names as its `source`. */
  @ApiProperty({ type: 'integer' })
  number: number;

  /** `document:1` for a document of the request. */
  url: string;

  title: string;

  /** RFC 3339, UTC; null for a source that the model endpoint has read. */
  fetched_at: string | null;

  /** Of the text that was read. */
  sha256: string | null;

  language: string | null;

  /** Empty for a source that the model endpoint has read. */
  quotes: QuoteDto[];

  /** The page was purged: its quotes are empty. */
  purged?: boolean;
}

export class ReadSourceListDto {
  data: ReadSourceDto[];
}

export class EvidenceNoteDto extends QuoteDto {
  /** Number of its source. */
  @ApiProperty({ type: 'integer' })
  source: number;
}

export class BoundSentenceDto {
  text: string;

  note_ids: string[];

  /** `judgement`: a conclusion from the notes; `absent`: what was looked for and not found; `link`: a transition without a claim. */
  @ApiProperty({ enum: SENTENCE_KINDS })
  kind: SentenceKind;

  /** What was found when the sentence was compared with its quotes, which is no proof of it. Null where nothing was to be compared. */
  @ApiProperty({ enum: VERDICTS, nullable: true })
  verdict: Verdict | null;

  /** What decided: a comparison of texts, or a model. */
  @ApiProperty({ enum: CHECKED_BY, nullable: true })
  checked_by: CheckedBy | null;

  /** The word or phrase of the sentence that differs, or what it lacks. */
  detail: string | null;
}

export class BoundSectionDto {
  /** Empty for the answer. */
  title: string;

  sentences: BoundSentenceDto[];

  /** A limit or a failure ended the run before it was written: its notes stand in its place. */
  unwritten?: boolean;
}

export class ContradictionDto {
  note_ids: string[];

  about: string;
}

export class TriedDto {
  /** A search provider, or `page`. */
  provider: string;

  fault: string;
}

export class FailedReadDto {
  /** A query, or the address of a page. */
  what: string;

  tried: TriedDto[];
}

/** What the question was understood to ask for. */
export class BriefDto {
  goal: string;

  sub_questions: string[];

  /** BCP 47 tag of the language of the report; `und` where it is not known. */
  language: string;

  @ApiProperty({ enum: ['any', 'year', 'month', 'week', 'day'] })
  recency: string;

  excluded: string[];

  @ApiProperty({ enum: DEPTHS })
  depth: string;

  /** What the user asked the report to be or to hold, such as a table, steps, a length. At most eight. */
  order?: string[];

  /** What a good answer must contain. At most eight. */
  criteria?: string[];
}

/** What a run of the agent rests on. */
export class EvidenceDto {
  @ApiProperty({ type: BriefDto, nullable: true })
  brief: BriefDto | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  plan: object | null;

  notes: EvidenceNoteDto[];

  /** Notes that are left out because there were too many. */
  @ApiProperty({ type: 'integer' })
  omitted_notes: number;

  contradictions: ContradictionDto[];

  /** Of the report, without what a guardrail has changed. */
  sections: BoundSectionDto[];

  /** How many sentences have each verdict; verdicts that none has are left out. */
  @ApiProperty(COUNTED_VERDICTS)
  verdicts: Partial<Record<Verdict, number>>;

  /** The model that judged the sentences; null where none was to. */
  verifier: string | null;

  /** What was asked for and no source that was read says. */
  missing: string[];

  /** Searches and pages that failed. */
  failed: FailedReadDto[];
}
