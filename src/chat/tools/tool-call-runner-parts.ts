import type { GuardrailContext } from '../../tools/guardrails/guardrail';
import type { Guardrails } from '../../tools/guardrails/guardrails';
import type { ChatObserver } from '../turns/chat-observer';
import type { Decision } from './approvals';
import type { CallLimit } from './call-limit';
import type { ChatContext, ToolCallInvoker } from './tool-call-invoker';
import type { Toolset } from './toolset';

export interface ToolCallRunnerParts {
  toolset: Toolset;
  limit: CallLimit;
  invoker: ToolCallInvoker;
  guardrails: Guardrails;
  context: Omit<ChatContext, 'waitSignal'> & {
    /** Each of them ends the wait for tools. */
    waitSignals: readonly AbortSignal[];
  };
  /** The runner adds the URLs that calls have consulted. */
  guarded: GuardrailContext & { consulted: Set<string> };
  /** The decisions of the user, by call id. */
  decisions: ReadonlyMap<string, Decision>;
  observer?: ChatObserver;
  signal: AbortSignal;
}
