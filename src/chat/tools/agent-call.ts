import { AppError } from '../../platform/errors';
import { parseArguments } from '../../tools/schemas/parse-arguments';
import type { CallWatcher } from '../turns/chat-observer';
import {
  type CompletedToolCall,
  refusedCall,
  type RequestedCall,
} from '../turns/tool-call';
import { describeFaults, NO_OBJECT } from './argument-faults';
import type { ResolvedCall } from './tool-call-invoker';

/** Has another agent answer a call. */
export type Consult = (
  call: RequestedCall,
  to: string,
  input: string,
) => Promise<CompletedToolCall>;

/** Has the agent `to` answer a call, if its arguments are valid. */
export async function callAgent(
  to: string,
  { completed, ...call }: ResolvedCall,
  consult: Consult,
  watcher?: CallWatcher,
): Promise<CompletedToolCall> {
  if (!completed) return refusedCall(call, 'INVALID_ARGUMENTS', NO_OBJECT);
  let input: unknown;
  try {
    ({ input } = parseArguments(call.tool, completed));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusedCall(call, 'INVALID_ARGUMENTS', describeFaults(error));
  }
  await watcher?.started({ ...call, invocation: null });
  return consult(call, to, input as string);
}
