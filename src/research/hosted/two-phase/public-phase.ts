import { SUBMITTED, versionOf, withVersion } from '../../../runs/run-id';

/** Of the UUIDs that public phases are made of. */
const PUBLIC_PHASE = '8';

/**
 * The invocation that is the public phase of this one. Nothing else has such an id, and whoever has it finds back: that
 * needs no record.
 */
export function publicPhaseOf(id: string): string {
  return withVersion(id, PUBLIC_PHASE);
}

/** The invocation that waits for this one, if this is a public phase. */
export function askerOf(id: string): string | undefined {
  return versionOf(id) === PUBLIC_PHASE
    ? withVersion(id, SUBMITTED)
    : undefined;
}
