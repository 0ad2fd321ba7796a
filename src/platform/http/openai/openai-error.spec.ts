import { AppError, type AppErrorOptions, type ErrorCode } from '../../errors';
import {
  isFinalRefusal,
  PaidFailure,
  isOpenAiPath,
  OpenAiRefusal,
  openAiErrorOf,
} from './openai-error';

describe(openAiErrorOf.name, () => {
  it.each<[ErrorCode, number, string]>([
    ['invalid_api_key', 401, 'authentication_error'],
    ['budget_exceeded', 402, 'insufficient_quota'],
    ['insufficient_scope', 403, 'permission_error'],
    ['rate_limited', 429, 'rate_limit_error'],
    ['validation_failed', 400, 'invalid_request_error'],
    ['queue_unavailable', 503, 'server_error'],
  ])('has %s as %i of the type %s', (code, status, type) => {
    const { status: sent, body } = openAiErrorOf(new AppError(code));
    expect(sent).toBe(status);
    expect(body.error).toMatchObject({ code, type, param: '' });
  });

  it('names every fault in the message, and the first as the parameter', () => {
    const options: AppErrorOptions = {
      errors: [
        { path: 'a', message: 'is too long' },
        { path: 'b', message: 'is missing' },
      ],
    };
    const error = new AppError('validation_failed', 'Not valid.', options);
    expect(openAiErrorOf(error).body.error).toMatchObject({
      message: 'Not valid. a is too long. b is missing.',
      param: 'a',
    });
  });

  it('has the code of a refusal in the words of OpenAI', () => {
    const error = new OpenAiRefusal('model_not_found', 'None.', 'model', 404);
    expect(openAiErrorOf(error)).toEqual({
      status: 404,
      body: {
        error: {
          message: 'None.',
          type: 'invalid_request_error',
          code: 'model_not_found',
          param: 'model',
        },
      },
    });
  });

  it('gives a failure of what was paid for the status that nothing repeats by itself', () => {
    for (const code of ['upstream_failed', 'cancelled'] as const)
      expect(openAiErrorOf(new PaidFailure(code)).status).toBe(400);
    expect(openAiErrorOf(new PaidFailure('upstream_failed')).body).toEqual({
      error: {
        message: 'The model could not finish.',
        type: 'server_error',
        code: 'upstream_failed',
        param: '',
      },
    });
  });

  it('lets SDKs repeat only what a repetition can help', () => {
    expect(isFinalRefusal(new AppError('queue_unavailable'))).toBe(false);
    expect(isFinalRefusal(new AppError('rate_limited'))).toBe(false);
    expect(isFinalRefusal(new AppError('api_key_revoked'))).toBe(true);
    expect(isFinalRefusal(new PaidFailure('queue_unavailable'))).toBe(true);
  });

  it.each([
    ['/v1', true],
    ['/v1/responses?x', true],
    ['/v10', false],
    ['/api/v1/chat', false],
  ])('knows that %s is a path of OpenAI: %s', (path, isTheirs) => {
    expect(isOpenAiPath(path)).toBe(isTheirs);
  });
});
