/**
 * The fields of a record's hash that are the kernel's. A kind of run declares those of its own beside its code. Redis keeps
 * text; names never change, for older processes read them.
 */
export type RunField =
  | SubmittedField
  | 'schema'
  | 'status'
  | 'seq'
  // Of the last event.
  | 'event_ms'
  | 'created_ms'
  | 'started_ms'
  | 'completed_ms'
  | 'expires_ms'
  | 'deadline_ms'
  // The claim of a worker.
  | 'worker'
  | 'fence'
  | 'lease_ms'
  | 'claimed_ms'
  // How often a worker began to carry it, once more after each loss; how the last one let it go.
  | 'attempts'
  | 'released'
  // How often another worker went on after one that had disappeared.
  | 'takeovers'
  // The workers that were lost with it: since its last progress, in all, and those that carried no other suspect.
  | 'crashes'
  | 'crashes_in_all'
  | 'crashes_alone'
  | 'crashed_ms'
  | 'lost_fence'
  | 'alone'
  | 'followed_ms'
  // The end on request.
  | 'cancel'
  // Of an operator.
  | 'cancel_reason'
  | 'deleted'
  | 'purged'
  // '1': all that is due at its end is done.
  | 'settled'
  // The wait for admission, or for decisions.
  // '1', for processes of an earlier release.
  | 'waited'
  | 'waits_for'
  | 'awaited'
  | 'undecided'
  | 'waiting_since_ms'
  | `decision:${string}`
  // The limits of the event log.
  | 'log_bytes'
  | 'progress_bytes'
  | 'progress_ms'
  // The journal: its size, and for how long it outlives the time limit.
  | 'journal_bytes'
  // What the journal has of the run that this one continues.
  | 'inherited_entries'
  | 'retention_ms'
  // '1': it does not expire.
  | 'kept'
  // The links by which it is shared.
  | 'shares'
  | ResultField
  | 'webhook_status'
  | 'webhook_attempts';

/** Written with the submission. */
export type SubmittedField =
  | 'tool'
  | 'mode'
  | 'args'
  | 'question'
  | 'format'
  | 'caller'
  | 'scopes'
  | 'account'
  // '1': an accepted run waits for it.
  | 'needed'
  | 'priority'
  | 'request_id'
  | 'forwarded'
  // The context of the submission, as in the header of this name.
  | 'traceparent'
  | 'tool_context'
  // JSON: pairs of the caller.
  | 'metadata'
  // For how long it is kept after its end, in ms, where its key says so.
  | 'keep_ms'
  | 'due_ms'
  | 'webhook'
  // 'response': announced in the form of OpenAI.
  | 'webhook_form'
  // Of research, as its arguments have it, or else as it was decided where its engine has depths.
  | 'depth'
  | 'tokens';

/** What the readers of a record get; each kind writes those that it has. */
export type ResultField =
  | 'upstream_id'
  // Requests to the endpoint that may each have bought a response.
  | 'purchases'
  | 'progress'
  | 'citations'
  | 'sources'
  | 'usage'
  | 'cost'
  | 'response'
  | 'contents'
  | 'engine'
  // '1' or '0'.
  | 'searched'
  | 'asks'
  | 'model'
  | 'steps'
  | 'limits_reached'
  | 'continued_from'
  | 'previous'
  // The run that it follows up, and those that follow it up.
  | 'parent'
  | 'follow_ups'
  | 'inherited'
  | 'plan'
  | 'limits'
  | 'error_code'
  | 'error_message';

export type FieldsOf<F extends string> = { readonly [K in F]?: string };
export type RunFields = FieldsOf<RunField>;

/** A record that a worker has claimed, with the fields `F` of its kind. */
export type ClaimedFields<F extends string = never> = FieldsOf<RunField | F> & {
  readonly [K in 'tool' | 'mode' | 'args' | 'tokens' | 'seq']: string;
};

/** Field and value in turn, as scripts take them. Undefined ones are left out. */
export function flat(fields: FieldsOf<string>): string[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [field, value],
  );
}
