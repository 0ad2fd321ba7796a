import { FaultBook } from './control/fault-book';
import { RunStore } from './responses/run-store';
import type { Settings } from './control/settings';
import { defaultSettings } from './control/settings';
import { Slots } from './control/slots';
import { Stats } from './control/stats';

/** The state of one sandbox; two sandboxes in one process share nothing. */
export class SandboxState {
  settings: Settings;
  stats = new Stats();
  readonly faults = new FaultBook();
  readonly runs = new RunStore();
  readonly slots = new Slots();

  constructor(
    private readonly turnMs?: number,
    private readonly researchMs?: number,
    private readonly strictItems?: boolean,
  ) {
    this.settings = defaultSettings(turnMs, researchMs, strictItems);
  }

  reset(): void {
    this.faults.clear();
    this.runs.clear();
    this.stats = new Stats();
    const { turnMs, researchMs, strictItems } = this;
    this.settings = defaultSettings(turnMs, researchMs, strictItems);
  }
}
