/**
 * The progress of a run of two phases, stored in the field `phase` of its record; '' for a run of one phase or one that
 * has not begun. `asks`: the public phase is about to be scheduled, or is. `waits`: it is scheduled. `private`: it has
 * ended, and its findings are on record.
 */
export type Phase = '' | 'asks' | 'waits' | 'private';
