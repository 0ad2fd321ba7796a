import type { Finish } from '../store/run-claim';
import type { RunFields } from '../record/run-fields';
import {
  storedNumber,
  storedObject,
  storedTime,
} from '../record/stored-fields';
import {
  type Cost,
  type FinalStatus,
  isFinal,
  type Status,
  type Usage,
} from '../record/run';

/** A model is named by the upstream. */
const NAME = /^[\w.:/@+-]{1,100}$/;

/** The return value of a job: how its run ended. What is unknown or does not apply is left out. */
export interface JobResult {
  status: FinalStatus;
  code?: string;
  engine?: string;
  model?: string;
  /** Since its first claim. */
  seconds?: number;
  tokens?: number;
  cost_usd?: number;
}

export const RESULT_FIELDS = [
  'status',
  'error_code',
  'engine',
  'model',
  'usage',
  'cost',
  'started_ms',
  'completed_ms',
] as const;

/** Of a run that ends now. */
export function resultOf(
  { status, error, fields, model, tokens, usd }: Finish,
  claimed: Pick<RunFields, 'engine' | 'model'>,
  seconds: number,
): JobResult {
  return compact({
    status,
    code: error?.code,
    engine: claimed.engine,
    model: model ?? claimed.model,
    seconds,
    tokens: tokens ?? tokensIn(fields?.usage),
    cost_usd: usd ?? spentIn(fields?.cost),
  });
}

/** Of a run that has ended before, by its record. */
export function resultIn(
  fields: Pick<RunFields, (typeof RESULT_FIELDS)[number]>,
): JobResult | undefined {
  const status = fields.status as Status;
  if (!isFinal(status)) return undefined;
  const started = storedTime(fields.started_ms);
  const completed = storedTime(fields.completed_ms);
  return compact({
    status,
    code: fields.error_code,
    engine: fields.engine,
    model: fields.model,
    seconds:
      started === null || completed === null
        ? undefined
        : (completed - started) / 1_000,
    tokens: tokensIn(fields.usage),
    cost_usd: spentIn(fields.cost),
  });
}

/** E.g. `ended completed engine=hosted seconds=12.3`. */
export function describeResult({ status, ...rest }: JobResult): string {
  const known = Object.entries(rest).map(([name, value]) => `${name}=${value}`);
  return ['ended', status, ...known].join(' ');
}

function compact({
  code,
  engine,
  model = '',
  seconds,
  tokens,
  cost_usd,
  ...result
}: JobResult): JobResult {
  return {
    ...result,
    ...(code && { code }),
    ...(engine && { engine }),
    ...(NAME.test(model) && { model }),
    ...(seconds !== undefined && { seconds: Math.round(seconds * 10) / 10 }),
    ...(tokens !== undefined && { tokens }),
    ...(cost_usd !== undefined && { cost_usd }),
  };
}

function tokensIn(json: string | undefined): number | undefined {
  const total = storedObject<Usage>(json)?.total_tokens;
  return total === undefined ? undefined : storedNumber(String(total));
}

function spentIn(json: string | undefined): number | undefined {
  const spent = storedObject<Cost>(json)?.spent;
  return spent === undefined ? undefined : storedNumber(String(spent));
}
