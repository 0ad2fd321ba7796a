import { replyError } from './upstream-error';

const explained = (code: string | null, message = 'It failed.') =>
  JSON.stringify({ error: { message, type: 'server_error', code } });

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
    ['a 503 with retry-after', 503, { 'retry-after': '1' }, '{}'],
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

  it('reads retry-after from the headers that LiteLLM passes on', () => {
    const headers = { 'llm_provider-retry-after': '7' };
    const limited = replyError(429, headers, wrapped(429, explained(null)));
    expect(limited.fault.retryAfterMs).toBe(7_000);
  });
});
