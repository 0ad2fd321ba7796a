import type {
  AppConfig,
  BuiltInGuardrail,
  GuardrailMode,
} from '../../config/config';
import { citationsCheck } from './citations/citations-check';
import type { Checker, Guardrail, Stage } from './guardrail';
import { piiCheck } from './pii/pii-check';

const BUILT_IN: Record<
  BuiltInGuardrail,
  { stages: Stage[]; check: (mode: GuardrailMode) => Checker['check'] }
> = {
  pii: { stages: ['input', 'output'], check: piiCheck },
  citations: { stages: ['output'], check: citationsCheck },
};

/** The enabled built-in guardrails, in the order of the configuration. */
export function builtInGuardrails({ guardrails }: AppConfig): Guardrail[] {
  return [...guardrails].flatMap(([name, mode]) => {
    const { stages, check } = BUILT_IN[name];
    return stages.map((stage) => ({ name, stage, check: check(mode) }));
  });
}
