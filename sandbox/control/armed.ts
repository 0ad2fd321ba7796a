import type { Fault } from './fault';

/** The faults that were taken for a request, by the point at which they strike. */
export interface Armed {
  run: Fault[];
  stream: Fault[];
  /** Runs after the create was accepted and counted; true if it has dealt with the reply. */
  afterCreate: () => Promise<boolean>;
}
