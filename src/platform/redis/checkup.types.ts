/** A problem with the stored data, or with the processes that work on it. */
export interface Finding {
  /** Findings of the same problem are listed together. */
  readonly problem: string;
  /** The id of the affected run, queue or model. */
  readonly id?: string;
  /** Repairs it; idempotent. Undefined if only an operator can. */
  readonly fix?: () => Promise<unknown>;
}

/** A check of the doctor. `look` changes nothing. */
export interface Checkup {
  /** The heading of its findings. */
  readonly title: string;
  look(): AsyncIterable<Finding>;
}
