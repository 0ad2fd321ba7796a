export class CitationDto {
  url: string;

  title: string;

  /** First Unicode code point of the cited place in `output_text`. */
  start_index: number;

  /** The code point after its last one. */
  end_index: number;

  /** The words of the source that a run of the agent rests on. */
  quote?: string;

  /** The page was purged: the quote is empty. */
  purged?: boolean;

  /** The number of its source, see `GET …/sources`. */
  source?: number;

  /** How the sentence compares with the quote, e.g. `quote_matched` or `number_differs`. */
  verdict?: string;
}

export class SourceDto {
  url: string;

  title: string;
}
