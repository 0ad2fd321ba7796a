import { AppError } from '../../platform/errors';
import { isUnexplainedRefusal } from './unexplained-refusal';
import { frameError, replyError } from '../upstream/upstream-error';

const reply = (status: number, body: object | string) =>
  replyError(
    status,
    {},
    typeof body === 'string' ? body : JSON.stringify(body),
  );
const error = (message: string, more = {}) =>
  reply(400, { error: { message, type: null, param: null, ...more } });

describe(isUnexplainedRefusal.name, () => {
  it.each([
    ['two words', error('Bad Request')],
    ['an empty object', reply(422, {})],
    ['an empty reply', reply(400, '')],
    ['an empty list', reply(422, { detail: [] })],
    ['a code that is the status', error('Bad Request', { code: 400 })],
    ['a type of its own', error('', { type: 'invalid_request_error' })],
    [
      'a page of nginx',
      reply(
        400,
        '<html><head><title>400 Bad Request</title></head><body><center><h1>400 Bad Request</h1></center><hr><center>nginx/1.25.3</center></body></html>',
      ),
    ],
    [
      'LiteLLM',
      error(
        'litellm.BadRequestError: OpenAIException - Bad Request. Received Model Group=gpt-oss-40\nAvailable Model Group Fallbacks=None',
        { code: '400' },
      ),
    ],
    ['a router', error('Provider returned error', { code: 400 })],
    [
      'a problem',
      reply(422, {
        type: 'about:blank',
        title: 'Unprocessable Entity',
        status: 422,
        instance: '/v1/chat',
      }),
    ],
    [
      'an id of the request',
      error('Bad request.', { request_id: 'req_context_1' }),
    ],
    ['Korean', error('잘못된 요청입니다.')],
  ])('knows a refusal without a reason: %s', (_, failure) => {
    expect(isUnexplainedRefusal(failure)).toBe(true);
  });

  it.each([
    [
      'the context',
      error("This model's maximum context length is 8192 tokens"),
    ],
    [
      'the context by its code',
      error('Bad Request', { code: 'context_length_exceeded' }),
    ],
    ['an image', error('Invalid image')],
    ['a policy', error('Bad Request', { type: 'content_policy_violation' })],
    [
      'a policy of Azure',
      error('Bad Request', {
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      }),
    ],
    ['a filter', error('Bad Request', { code: 'content_filter' })],
    ['the key', error('API key not valid. Please pass a valid API key.')],
    ['a parameter', error('Bad Request', { param: 'temperature' })],
    [
      'a field',
      reply(422, { detail: [{ loc: ['body', 'model'], msg: 'error' }] }),
    ],
    ['the model', error('Invalid model')],
    ['the size', error('Request too large')],
    ['anything at length', error('error '.repeat(400))],
    ['another status', reply(401, {})],
    ['a model that does not exist', reply(404, {})],
    ['a limit', reply(429, {})],
    ['an endpoint that fails', reply(500, {})],
    ['an error of another kind', new AppError('empty_output')],
    ['no error', null],
  ])('takes no refusal for one that names %s', (_, failure) => {
    expect(isUnexplainedRefusal(failure)).toBe(false);
  });

  it('does not accept an error in a stream: the turn had started', () => {
    const failure = frameError({
      error: { message: 'Bad Request', code: 400 },
    });
    expect(failure?.fault.status).toBe(400);
    expect(isUnexplainedRefusal(failure)).toBe(false);
  });
});
