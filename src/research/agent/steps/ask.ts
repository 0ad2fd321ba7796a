import type { ErrorCode } from '../../../platform/errors';
import type { AgentRun } from '../agent-run';
import type { Allowance } from '../budget/allowance';
import { smallerContext } from '../budget/call-limits';
import { ModelFailed } from './model-failures';
import { askOnce, type Call } from './model-step';

const TOO_LONG = 'context_length_exceeded' satisfies ErrorCode;
/** How often a prompt is made smaller. */
const MAX_SIZES = 4;

/**
 * Asks a role. A prompt that turns out to be too long for its model is made smaller and sent again, as another step.
 * @param make the call; for a run with a smaller context, a shorter one.
 * @throws ModelFailed, LimitReached.
 */
export async function ask<T, R = T>(
  run: AgentRun,
  key: string,
  make: (run: AgentRun) => Call<T, R>,
  allowance: Allowance,
): Promise<R> {
  let sized = run;
  for (let size = 0; ; size += 1) {
    const call = make(sized);
    const step = size === 0 ? key : `${key}^${size}`;
    try {
      return await askOnce(sized, step, call, allowance);
    } catch (error) {
      const isTooLong = error instanceof ModelFailed && error.code === TOO_LONG;
      if (!isTooLong || size === MAX_SIZES) throw error;
      const { model: role } = call.prompt;
      const { name, contextTokens } = sized.model(role);
      const smaller = smallerContext(contextTokens, error.contextTokens);
      run.noteContext(name, smaller);
      sized = sized.within(role, smaller);
    }
  }
}
