import { SUBMITTED, versionOf, withVersion } from '../../../runs/record/run-id';

/** The UUID version in the ids of public phases. */
const PUBLIC_PHASE = '8';

/** The id of the public phase of a run. No other run has such an id, and each of the two ids determines the other. */
export function publicPhaseOf(id: string): string {
  return withVersion(id, PUBLIC_PHASE);
}

/** The id of the run that waits for this one, if this is a public phase. */
export function parentRunOf(id: string): string | undefined {
  return versionOf(id) === PUBLIC_PHASE
    ? withVersion(id, SUBMITTED)
    : undefined;
}
