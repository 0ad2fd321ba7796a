import type { Fault } from './fault';

/** The faults that apply to a request, by the stage at which they fire. */
export interface Armed {
  run: Fault[];
  stream: Fault[];
  search: Fault | undefined;
  /** Called after the create was accepted and counted; true if it has handled the response. */
  afterCreate: () => Promise<boolean>;
}
