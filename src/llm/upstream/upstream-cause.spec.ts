import { AppError, type ErrorCode } from '../../platform/errors';
import { failureCode, isFinal } from './upstream-cause';
import { replyError } from './upstream-error';

const of = (status: number, error: object) =>
  replyError(status, {}, JSON.stringify({ error }), 'my-model');

describe('the cause of a refusal', () => {
  it.each<[ErrorCode, number, object]>([
    ['upstream_quota_exceeded', 429, { code: 'insufficient_quota' }],
    ['upstream_quota_exceeded', 429, { type: 'insufficient_quota' }],
    [
      'upstream_quota_exceeded',
      429,
      {
        message:
          "litellm.RateLimitError: OpenAIException - {'code': 'insufficient_quota'}",
        code: '429',
      },
    ],
    [
      'upstream_quota_exceeded',
      400,
      {
        message: 'Budget has been exceeded! Current cost: 5',
        type: 'budget_exceeded',
      },
    ],
    ['upstream_quota_exceeded', 402, { message: 'Payment required' }],
    ['upstream_rate_limited', 429, { code: 'rate_limit_exceeded' }],
    [
      'upstream_rate_limited',
      429,
      { message: 'You exceeded your current quota. Please retry in 23 s.' },
    ],
    ['upstream_unauthorized', 401, { code: 'invalid_api_key' }],
    ['upstream_unauthorized', 403, { message: 'No' }],
    ['model_not_found', 404, { code: 'model_not_found' }],
    ['model_not_found', 403, { code: 'model_not_found' }],
    ['model_not_found', 404, { code: 'DeploymentNotFound' }],
    [
      'model_not_found',
      400,
      {
        message:
          '/responses: Invalid model name passed in model=x. Call `/v1/models`',
      },
    ],
    [
      'model_not_found',
      404,
      { message: 'model "x" not found, try pulling it first' },
    ],
    ['context_length_exceeded', 400, { code: 'context_length_exceeded' }],
    [
      'context_length_exceeded',
      400,
      { message: "This model's maximum context length is 8192 tokens." },
    ],
    ['content_policy', 400, { code: 'content_policy_violation' }],
    ['content_policy', 400, { code: 'content_filter' }],
    ['upstream_overloaded', 503, { message: 'The model is overloaded.' }],
    ['upstream_overloaded', 529, { type: 'overloaded_error' }],
    ['upstream_error', 503, { message: 'Try later' }],
    ['upstream_rejected', 400, { message: 'Unknown parameter: background' }],
  ])('is %s for a %i with %j', (code, status, error) => {
    expect(of(status, error).code).toBe(code);
  });

  it.each<[string, number, object, number | undefined]>([
    [
      'llama-server',
      400,
      {
        code: 400,
        message:
          'request (5021 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5021,
        n_ctx: 4096,
      },
      4096,
    ],
    [
      'llama-server behind LiteLLM',
      400,
      {
        message:
          'litellm.BadRequestError: OpenAIException - {"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5021,"n_ctx":4096}}',
        code: '400',
      },
      4096,
    ],
    [
      'vLLM',
      400,
      {
        message:
          "This model's maximum context length is 8192 tokens. However, you requested 9025 tokens (8000 in the messages, 1025 in the completion).",
        type: 'BadRequestError',
        code: 400,
      },
      8192,
    ],
    [
      'vLLM about the output',
      400,
      {
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 100 input tokens (5000 > 4096 - 100).",
      },
      4096,
    ],
    [
      'vLLM about a prompt',
      400,
      {
        message:
          'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
      },
      4096,
    ],
    [
      'SGLang',
      400,
      {
        message:
          "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
      },
      4096,
    ],
    [
      'LM Studio',
      400,
      {
        message:
          'Trying to keep the first 4514 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      },
      4096,
    ],
    [
      'Ollama',
      400,
      { message: 'prompt too long; exceeded max context length by 900 tokens' },
      undefined,
    ],
    [
      'OpenAI',
      400,
      {
        code: 'context_length_exceeded',
        message:
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
      },
      undefined,
    ],
    [
      'Mistral',
      400,
      {
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      },
      32_768,
    ],
    [
      'Anthropic',
      400,
      { message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      200_000,
    ],
    [
      'Gemini',
      400,
      {
        message:
          'The input token count (1,100,000) exceeds the maximum number of tokens allowed (1048576).',
      },
      1_048_576,
    ],
  ])(
    'is a prompt that is too long for %s, with the context that it names',
    (_, status, error, contextTokens) => {
      const failure = of(status, error);
      expect(failure).toMatchObject({
        code: 'context_length_exceeded',
        effect: 'none',
      });
      expect(failure.fault.contextTokens).toBe(contextTokens);
      if (contextTokens)
        expect(failure.message).toContain(`${contextTokens} tokens`);
    },
  );

  it.each([-1, 0, 1.5, 1e12, '9'.repeat(400), 'many', null, {}])(
    'takes no context of %j tokens from an endpoint',
    (n_ctx) => {
      const error = { type: 'exceed_context_size_error', n_ctx };
      const failure = of(400, error);
      expect(failure.code).toBe('context_length_exceeded');
      expect(failure.fault.contextTokens).toBeUndefined();
    },
  );

  it('names the requested model, and quotes nothing of the endpoint', () => {
    const error = of(404, {
      message: 'The model `x` does not exist at vault.corp.internal',
    });
    expect(error.message).toBe(
      'The model "my-model" is not available at the model endpoint.',
    );
  });

  it.each([200, 301, 400, 404, 405])(
    'is a wrong URL for a page with a %i',
    (status) => {
      const error = replyError(
        status,
        { 'content-type': 'text/html' },
        '<p>Hi',
      );
      expect(error).toMatchObject({
        code: 'upstream_wrong_url',
        effect: 'none',
      });
    },
  );

  it.each([
    [502, 'upstream_error', 'unknown'],
    [504, 'upstream_timeout', 'unknown'],
    [500, 'upstream_error', 'unknown'],
    [403, 'upstream_unauthorized', 'none'],
    [429, 'upstream_rate_limited', 'none'],
  ])('is no wrong URL for a page with a %i', (status, code, effect) => {
    const error = replyError(status, {}, '<!doctype html><p>Bad gateway');
    expect(error).toMatchObject({ code, effect });
  });

  it('is final exactly if no repetition can help', () => {
    const codes: ErrorCode[] = [
      'upstream_quota_exceeded',
      'upstream_wrong_url',
      'content_policy',
    ];
    for (const code of codes) {
      expect(isFinal(code)).toBe(true);
      expect(new AppError(code).retryable).toBe(false);
    }
    for (const code of [
      'upstream_rate_limited',
      'upstream_overloaded',
    ] as const) {
      expect(isFinal(code)).toBe(false);
      expect(new AppError(code).retryable).toBe(true);
    }
  });
});

describe(failureCode.name, () => {
  it.each<[ErrorCode, Parameters<typeof failureCode>[0]]>([
    [
      'upstream_overloaded',
      { code: 'server_error', message: 'The model is overloaded.' },
    ],
    ['upstream_rate_limited', { code: 'rate_limit_exceeded', message: 'Slow' }],
    ['upstream_quota_exceeded', { code: 'insufficient_quota', message: 'Pay' }],
    ['content_policy', { code: 'invalid_prompt', message: 'No' }],
    ['upstream_failed', { code: 'server_error', message: 'Sorry' }],
    ['upstream_failed', null],
  ])('is %s for %j', (code, error) => {
    expect(failureCode(error)).toBe(code);
  });
});
