import type { FieldFault } from '../../platform/field-error';
import type { ResearchArguments } from './research-arguments';

/** What decides which engine carries a run. */
export type Wishes = Pick<
  ResearchArguments,
  | 'engine'
  | 'data_sources'
  | 'text_format'
  | 'budget'
  | 'plan'
  | 'depth'
  | 'verify'
>;

/** Why an engine cannot carry a run. */
export interface Fault {
  argument: string;
  message: string;
  code: FieldFault;
  detail: string;
}

/** The first wish that only the agent can fulfil, as the fault of a request whose run it would not carry. */
export function wishOfAgent({
  budget = {},
  plan,
  depth = 'auto',
  verify = 'off',
}: Wishes): Fault | undefined {
  const needs = (argument: string, detail: string, value = ''): Fault => ({
    argument,
    message:
      `${value} needs the engine agent, which this run would not have`.trim(),
    code: 'needs_agent',
    detail,
  });
  if (plan === 'review')
    return needs('plan', 'There is no plan that could be reviewed.', plan);
  if (Object.values(budget).some((limit) => limit !== undefined))
    return needs('budget', 'This budget cannot be kept.');
  if (depth !== 'auto')
    return needs('depth', 'Only the agent has depths.', depth);
  if (verify !== 'off')
    return needs('verify', 'Only the agent compares with quotes.', verify);
  return undefined;
}

export function sources(message: string, code: FieldFault): Fault {
  const detail = 'These sources cannot be used.';
  return { argument: 'data_sources', message, code, detail };
}
