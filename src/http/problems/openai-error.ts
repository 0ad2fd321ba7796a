import type { Problem } from './problem';

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};
const API_HINT =
  "Sonde's own API begins with /api/v1; /openapi.json describes it.";

/** The paths that OpenAI clients call if they are given the URL of this service. */
export function isOpenAiPath(url: string): boolean {
  return /^\/v1(\/|\?|$)/.test(url);
}

/** Adds the `error` member whose message OpenAI clients show. */
export function withOpenAiError(problem: Problem): object {
  const { status, code } = problem;
  const detail =
    status === 404 || status === 405
      ? `${problem.detail} ${API_HINT}`
      : problem.detail;
  const type =
    TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const [first] = problem.errors;
  return {
    ...problem,
    detail,
    error: { message: detail, type, code, param: first?.path ?? null },
  };
}
