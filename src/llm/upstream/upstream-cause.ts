import type { ErrorCode } from '../../platform/errors';

/**
 * What an endpoint reports about a failure. It only selects one of our own messages: its text may name hosts or quote
 * input.
 */
export interface ReportedFault {
  status?: number;
  code?: string;
  type?: string;
  message?: string;
}

type Rule = readonly [
  cause: ErrorCode,
  codes: RegExp,
  words: RegExp | undefined,
  statuses: readonly number[],
];

/**
 * Tested in this order. The words count only with one of the statuses. An error in a stream, or of a run, is treated as a
 * 500.
 */
const RULES: readonly Rule[] = [
  [
    'upstream_quota_exceeded',
    /^(insufficient_quota|budget_exceeded|billing_(hard_limit_reached|not_active))$/,
    /\binsufficient_quota\b|budget has been exceeded/i,
    [400, 403, 429, 500],
  ],
  [
    'model_not_found',
    /^(model_not_found|DeploymentNotFound|key_model_access_denied)$/,
    /\bmodel\b.{0,200}(does not exist|not found)|invalid model name/i,
    [400, 404],
  ],
  [
    'context_length_exceeded',
    /^(context_length_exceeded|context_window_exceeded|exceed_context_size_error|string_above_max_length)$/,
    /context.?(length|window|size)|exceed_context_size|maximum model length|max_model_len|(prompt|input) is too long|maximum number of (input )?tokens allowed|reduce the length of the (messages|prompt|input)/i,
    [400, 413, 422, 500],
  ],
  [
    'content_policy',
    /^(content_policy_violation|content_filter|invalid_prompt|moderation_blocked|(bio|cyber)_policy|misalignment_policy_violation)$/,
    /content.?policy|content management policy/i,
    [400, 403, 500],
  ],
  [
    'upstream_overloaded',
    /^(model_overloaded|overloaded_error|engine_overloaded|server_(is_)?overloaded|slow_down)$/,
    /\boverloaded\b/i,
    [500, 503, 529],
  ],
];

/** Why an endpoint refused or failed; undefined if the report matches no common cause. */
export function causeOf(fault: ReportedFault): ErrorCode | undefined {
  const { status = 500, code = '', type = '', message = '' } = fault;
  if (status === 402) return 'upstream_quota_exceeded';
  const rule = RULES.find(
    ([, codes, words, statuses]) =>
      codes.test(code) ||
      codes.test(type) ||
      (statuses.includes(status) && words?.test(message)),
  );
  return rule?.[0];
}

/** Why a run failed that the endpoint reports as failed. */
export function failureCode(
  error: { code?: string | null; message?: string } | null | undefined,
): ErrorCode {
  if (error?.code === 'rate_limit_exceeded') return 'upstream_rate_limited';
  const { code, message } = error ?? {};
  return causeOf({ code: code ?? undefined, message }) ?? 'upstream_failed';
}

/**
 * Whether the reply is a web page: its sender is not the API, so nothing was started. With a 5xx, a page may replace a
 * reply that a proxy lost; with 401, 403 or 429 the status itself is the cause.
 */
export function isWrongUrl(
  status: number,
  headers: Record<string, unknown>,
  body: string,
): boolean {
  if (status >= 300 && status < 400) return true;
  if (status >= 300 && ![400, 404, 405, 410].includes(status)) return false;
  return (
    String(headers['content-type']).startsWith('text/html') ||
    /^\s*<(!doctype html|html)\b/i.test(body.slice(0, 1_000))
  );
}

const FINAL: readonly ErrorCode[] = [
  'upstream_rejected',
  'upstream_quota_exceeded',
  'upstream_wrong_url',
  'upstream_untrusted',
  'model_not_found',
  'context_length_exceeded',
  'content_policy',
];

/** Whether a repetition of the same request would fail in the same way, whatever its status. */
export function isFinal(code: ErrorCode): boolean {
  return FINAL.includes(code);
}
