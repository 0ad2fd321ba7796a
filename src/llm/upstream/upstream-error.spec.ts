import { replyError } from './upstream-error';

const explained = (code: string | null, message = 'It failed.') =>
  JSON.stringify({ error: { message, type: 'server_error', code } });

const loading = JSON.stringify({
  error: { code: 503, message: 'Loading model', type: 'unavailable_error' },
});
const HAPROXY =
  '<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>';

/** As LiteLLM puts what befell it into words. */
const wrapped = (status: number, message: string) =>
  JSON.stringify({
    error: {
      message: `litellm.InternalServerError: InternalServerError: OpenAIException - ${message}\n\nLiteLLM: model group 'o3-deep-research' failed with the error above. No fallback was attempted.`,
      type: 'internal_server_error',
      param: null,
      code: String(status),
    },
  });

describe(replyError.name, () => {
  it.each([
    ['a 500 that explains itself', 500, {}, explained(null)],
    ['a 500 without a word', 500, {}, ''],
    ['a 502 of a proxy', 502, {}, '<html><h1>Bad gateway</h1></html>'],
    ['a 502 that asks to come back', 502, { 'retry-after': '1' }, '{}'],
    ['a 503 without retry-after', 503, {}, explained(null)],
    ['a 503 with retry-after', 503, { 'retry-after': '1' }, '{}'],
    ['a 503 of nginx', 503, {}, '<h1>503 Service Temporarily Unavailable</h1>'],
    ['a 500 with the words of a 503', 500, {}, 'no healthy upstream'],
    [
      'a 503 that names a run',
      503,
      { 'retry-after': '1' },
      JSON.stringify({ id: 'resp_1', error: { message: 'It failed.' } }),
    ],
    ['a 504', 504, { 'retry-after': '1' }, explained(null)],
    ['a 408', 408, {}, explained(null)],
    ['a 499', 499, {}, explained(null)],
    [
      'a connection that broke behind LiteLLM',
      500,
      {},
      wrapped(500, 'Server disconnected'),
    ],
    [
      'a 503 whose retry-after LiteLLM passes on',
      503,
      { 'llm_provider-retry-after': '1' },
      wrapped(503, explained(null)),
    ],
    [
      'a report behind LiteLLM that quotes a code',
      500,
      {},
      wrapped(500, `Unable to read {"text": "say ${explained('slow_down')}"}`),
    ],
  ])('leaves open what was begun after %s', (_, status, headers, body) => {
    expect(replyError(status, headers, body).effect).toBe('unknown');
  });

  it.each([
    ['a 429', 429, {}, explained('rate_limit_exceeded')],
    ['a 400', 400, {}, explained(null)],
    ['a 501', 501, {}, ''],
    ['a server that loads its model', 503, {}, loading],
    ['Envoy without an endpoint', 503, {}, 'no healthy upstream'],
    ['HAProxy without an endpoint', 503, { 'retry-after': '1' }, HAPROXY],
    ['an overload by its code', 503, {}, explained('server_is_overloaded')],
    ['a request to slow down', 503, {}, explained('slow_down')],
    ['an overloaded engine', 500, {}, explained('engine_overloaded')],
    [
      'an overload behind LiteLLM',
      503,
      {},
      wrapped(503, explained('server_is_overloaded')),
    ],
  ])('knows that nothing was begun after %s', (_, status, headers, body) => {
    expect(replyError(status, headers, body).effect).toBe('none');
  });

  it('reads the code of the endpoint behind LiteLLM', () => {
    const empty = replyError(
      429,
      {},
      wrapped(429, explained('insufficient_quota')),
    );
    expect(empty.code).toBe('upstream_quota_exceeded');
    expect(empty.fault.code).toBe('insufficient_quota');
  });

  it.each([
    ['1.5', 1_500],
    ['0', 0],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 0],
    ['-5', undefined],
    ['soon', undefined],
    ['1e9', undefined],
  ])('reads a retry-after of %p as %p', (header, ms) => {
    const { fault } = replyError(429, { 'retry-after': header }, '{}');
    expect(fault.retryAfterMs).toBe(ms);
  });

  it('reads retry-after from the headers that LiteLLM passes on', () => {
    const headers = { 'llm_provider-retry-after': '7' };
    const limited = replyError(429, headers, wrapped(429, explained(null)));
    expect(limited.fault.retryAfterMs).toBe(7_000);
  });
});
