import type { Claim, Finish } from '../runs/store/run-claim';
import type { ActiveRun } from '../runs/worker/active-run';
import type { Outcome } from '../runs/worker/run-outcome';

/** `hosted`: the model endpoint researches; `agent`: this service does; `plain`: one turn of a model without any search. */
export const ENGINES = ['hosted', 'agent', 'plain'] as const;
export type EngineName = (typeof ENGINES)[number];
export const ENGINE_CHOICES = ['auto', ...ENGINES] as const;

/** Carries runs out. A record names its engine from its submission on, and no takeover changes it. */
export interface ResearchEngine {
  readonly name: EngineName;
  /** Carries a run from whatever point its record has reached to its end. */
  run(claim: Claim, run: ActiveRun): Promise<Outcome>;
  /** Ends a run that has crashed too many workers, without reading what may have crashed them. */
  abandon(claim: Claim): Promise<Finish>;
}
