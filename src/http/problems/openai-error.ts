import type { Problem } from './problem';

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};
const WHERE =
  "Sonde's own API begins with /api/v1; /openapi.json describes it.";

/** Where clients of OpenAI's API come by if Sonde's URL was given to them. */
export function isOpenAiPath(url: string): boolean {
  return /^\/v1(\/|\?|$)/.test(url);
}

/** The problem with the member of which such a client shows the message. */
export function withOpenAiError(problem: Problem): object {
  const { status, code } = problem;
  const detail =
    status === 404 || status === 405
      ? `${problem.detail} ${WHERE}`
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
