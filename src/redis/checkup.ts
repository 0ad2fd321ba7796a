/** Something wrong with what Redis keeps, or with who works on it. */
export interface Finding {
  /** What is wrong, in plain words. Findings of the same words are listed together. */
  readonly problem: string;
  /** Which one: an invocation, a queue, a model. */
  readonly id?: string;
  /** Puts it right; safe to repeat. Without it an operator has to. */
  readonly fix?: () => Promise<unknown>;
}

/** What is looked through by the doctor. A look changes nothing. */
export interface Checkup {
  /** The heading of its findings. */
  readonly title: string;
  look(): AsyncIterable<Finding>;
}
