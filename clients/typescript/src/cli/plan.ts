import type { Invocation } from '../types.js';
import * as research from './research.js';
import { editable, showEstimate } from './plan-output.js';
import { CANCEL_TIMEOUT } from './terminal/interrupt.js';
import { MAX_TIMEOUT, type WithSonde } from './run.js';

type RunRef = Pick<Invocation, 'invocation_id' | 'invocation_token'>;

/** Prints the plan of a run; with `--approve` or `--edit`, decides on it and follows the run. */
export async function plan(run: WithSonde, ref: RunRef): Promise<number> {
  const { flags, directions, interrupt } = run;
  if (!flags.approve && !directions) return show(run, ref);
  interrupt.track(research.activeRun(run, ref));
  await decide(run, ref);
  return research.end(run, await research.follow(run, ref));
}

/** Decides on the plan of a run as the flags have it. */
export function decide(run: WithSonde, ref: RunRef): Promise<Invocation> {
  const { sonde, flags, directions, signal } = run;
  const { refuse, reason } = flags;
  const decision = {
    approve: !refuse,
    plan: directions && { directions },
    reason,
  };
  return sonde.decidePlan(ref, decision, { ...MAX_TIMEOUT, signal });
}

/** Continues a run as a new one, and follows that. */
export async function continueRun(
  run: WithSonde,
  ref: RunRef,
): Promise<number> {
  const { sonde, flags, interrupt, signal } = run;
  const { budget } = flags;
  const idempotencyKey = crypto.randomUUID();
  // The same request with the same key returns the same run.
  interrupt.findRun = async () => {
    const options = { ...CANCEL_TIMEOUT, idempotencyKey };
    const found = await sonde.continueRun(ref, budget, options);
    return research.activeRun(run, found);
  };
  const options = { ...MAX_TIMEOUT, idempotencyKey, signal };
  const record = await sonde.continueRun(ref, budget, options);
  research.onSubmitted(run, record);
  return research.end(run, await research.follow(run, record));
}

async function show(run: WithSonde, ref: RunRef): Promise<number> {
  const { sonde, flags, output, signal } = run;
  const record = await sonde.get(ref, { ...MAX_TIMEOUT, signal });
  const { plan, invocation_id } = record;
  if (!plan) {
    output.log(`sonde: ${invocation_id} has no plan`);
    return 1;
  }
  output.write(flags.json ? JSON.stringify(record) : editable(plan));
  showEstimate(output, plan);
  return 0;
}
