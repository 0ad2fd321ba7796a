import { ApiProperty } from '@nestjs/swagger';

export class CitationDto {
  url: string;

  title: string;

  /** First Unicode code point of the cited place in `output_text`. */
  start_index: number;

  /** The code point after its last one. */
  end_index: number;

  /** First code point of the sentence or table cell that cites, where the range above is that of its mark. */
  @ApiProperty({ type: 'integer' })
  sentence_start?: number;

  /** The code point after its last one. */
  @ApiProperty({ type: 'integer' })
  sentence_end?: number;

  /** The words of the source that a run of the agent rests on. */
  quote?: string;

  /** The page was purged: the quote is empty. */
  purged?: boolean;

  /** The number of its source, see `GET …/sources`. */
  source?: number;

  /** What was found when the sentence was compared with its quotes, e.g. `supported` or `number_differs`; see the verdicts of `GET …/evidence`. */
  verdict?: string;

  /** What decided: `text`, a comparison of texts, or `model`. */
  checked_by?: string;

  /** The word or phrase of the sentence that differs, or what it lacks. */
  detail?: string;
}

export class SourceDto {
  url: string;

  title: string;
}
