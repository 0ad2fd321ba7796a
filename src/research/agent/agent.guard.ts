import type { Guardrails } from '../../tools/guardrails/guardrails';
import { findPii } from '../../tools/guardrails/pii/pii-finder';
import { GuardrailTripped } from '../../tools/guardrails/tripwire';
import type { GuardPort } from './agent-ports';

/** The guardrails as a run uses them; queries are checked whether or not a guardrail is configured. */
export function agentGuard(guardrails: Guardrails, tenant?: string): GuardPort {
  return {
    hasSecret: (text) => findPii(text).length > 0,
    section: async (text, consulted, signal) => {
      try {
        return await guardrails.output(text, { tenant, consulted, signal });
      } catch (error) {
        if (error instanceof GuardrailTripped) return undefined;
        throw error;
      }
    },
  };
}
