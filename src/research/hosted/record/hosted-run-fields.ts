/** The fields of a record that are research's own. */
export type HostedField =
  /** The attempt to buy that is under way; '' if none is. */
  | 'attempt'
  /** JSON: the place that was reached in the upstream's stream. */
  | 'follow'
  /** See `Phase`. */
  | 'phase'
  /** JSON: what the public phase has found. */
  | 'public';
