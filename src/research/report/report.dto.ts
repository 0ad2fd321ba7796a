import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { type Format, FORMATS } from '../../report/formats';
import {
  CHECKED_BY,
  type CheckedBy,
  type Verdict,
  VERDICTS,
} from '../../sources/evidence/verdict';
import { COUNTED_VERDICTS } from '../evidence/evidence.dto';

export class ReportQueryDto {
  /** Without it, the `Accept` header decides; `md` if that takes anything. */
  @IsOptional()
  @IsIn(FORMATS)
  @ApiProperty({ enum: FORMATS, required: false })
  format?: Format;
}

export class ReportCitationDto {
  /** As the marks in the text show it. Equal citations have one number. */
  @ApiProperty({ type: 'integer' })
  number: number;

  url: string;

  /** Where a reader may go: http, https or mailto. */
  href: string | null;

  title: string;

  /** The words of the page that the sentence rests on. */
  quote: string | null;

  /** The text of the page around the quote. */
  window: string | null;

  /** RFC 3339, UTC. */
  read_at: string | null;

  /** What was found when the sentence was compared with its quotes. */
  @ApiProperty({ enum: VERDICTS, nullable: true })
  verdict: Verdict | null;

  /** What decided: a comparison of texts, or a model. */
  @ApiProperty({ enum: CHECKED_BY, nullable: true })
  checked_by: CheckedBy | null;

  /** The word or phrase of the sentence that differs, or what it lacks. */
  detail: string | null;

  /** The page was purged, its quote with it. */
  purged: boolean;
}

export class ConsultedSourceDto {
  url: string;

  title: string;

  href: string | null;
}

/** A report as its parts, which the other formats are written from. */
export class ReportDto {
  invocation_id: string;

  title: string;

  question: string | null;

  /** @example ko */
  language: string;

  /** The run ended before the report was done. */
  incomplete: boolean;

  /** Why it is incomplete, and what is missing. */
  reason: string | null;

  limits_reached: string[];

  model: string | null;

  /** How many of its sentences have each verdict. */
  @ApiProperty(COUNTED_VERDICTS)
  verdicts: Partial<Record<Verdict, number>>;

  /** The model that judged the sentences; null where none was to. */
  verifier: string | null;

  completed_at: string | null;

  /** Of type `heading`, `paragraph`, `list`, `quote`, `code`, `table` or `rule`; their content are runs of text, breaks, and citations by their number. */
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
  })
  blocks: object[];

  citations: ReportCitationDto[];

  /** What was consulted and is not cited. */
  consulted: ConsultedSourceDto[];
}
