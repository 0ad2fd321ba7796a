import { AppError } from '../../platform/errors';
import { isUnsupported, refusesHosted, refusesTools } from './refusals';
import { replyError } from '../upstream/upstream-error';

const reply = (status: number, body: object | string) =>
  replyError(
    status,
    {},
    typeof body === 'string' ? body : JSON.stringify(body),
  );
const error = (status: number, message: string, more = {}) =>
  reply(status, { error: { message, param: null, code: null, ...more } });

describe(refusesTools.name, () => {
  it.each([
    [
      'vLLM',
      error(
        400,
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        { code: 400 },
      ),
    ],
    [
      'an older vLLM',
      reply(400, {
        object: 'error',
        message: 'tool_choice="required" requires --tool-call-parser to be set',
        code: 400,
      }),
    ],
    [
      'Ollama',
      error(
        400,
        'registry.ollama.ai/library/gemma:latest does not support tools',
      ),
    ],
    [
      'LiteLLM',
      error(
        400,
        "litellm.UnsupportedParamsError: x does not support parameters: ['tools']",
        { code: '400', param: 'None' },
      ),
    ],
    [
      'a gateway that checks fields',
      reply(422, {
        detail: [
          { loc: ['body', 'tools'], msg: 'Extra inputs are not permitted' },
        ],
      }),
    ],
    [
      'a gateway that names the parameter',
      error(400, 'Unsupported parameter.', { param: 'tools' }),
    ],
    [
      'an older API',
      error(400, 'Unrecognized request argument supplied: functions'),
    ],
    ['a router', error(404, 'No endpoints found that support tool use.')],
    ['vLLM with gpt-oss', error(501, "Only 'auto' tool_choice is supported")],
  ])('knows the words of %s', (_, failure) => {
    expect(refusesTools(failure)).toBe(true);
  });

  it.each([
    ['another refusal', error(400, 'Unsupported value: temperature')],
    ['a path that does not exist', reply(404, { detail: 'Not Found' })],
    [
      'a page for it that has a script',
      reply(404, '<html><script>(function(){})()</script></html>'),
    ],
    [
      'a model that does not exist',
      error(404, 'The model `tool-llama` does not exist', {
        code: 'model_not_found',
      }),
    ],
    [
      'a conversation that is too long',
      error(
        400,
        "This model's maximum context length is 8192 tokens, 100 of them in the functions",
        { code: 'context_length_exceeded' },
      ),
    ],
    [
      'one that is too long, without a code',
      error(400, 'The context length is exceeded by 900 tokens in the tools'),
    ],
    [
      'one that does not fit together',
      error(400, 'No tool call found for function call output', {
        param: 'input',
      }),
    ],
    [
      'a message that does not fit',
      error(
        400,
        "messages with role 'tool' must be a response to 'tool_calls'",
        { param: 'messages.[1].role' },
      ),
    ],
    ['credentials', error(401, 'This key must not use tools')],
    ['a limit', error(429, 'Too many tool calls')],
    ['an endpoint that fails', error(500, 'The tool parser crashed')],
    ['an error of another kind', new AppError('empty_output')],
    ['no error', null],
  ])('takes %s for none', (_, failure) => {
    expect(refusesTools(failure)).toBe(false);
  });
});

describe(isUnsupported.name, () => {
  it.each([
    [404, { detail: 'Not Found' }, true],
    [404, '<html>404</html>', true],
    [405, { detail: 'Method Not Allowed' }, true],
    [501, '', true],
    [404, { error: { message: 'The model `x` does not exist' } }, false],
    [400, { error: { message: 'Invalid' } }, false],
    [500, '', false],
  ])('says of a %i with %j: %s', (status, body, answer) => {
    expect(isUnsupported(reply(status, body))).toBe(answer);
  });
});

describe(refusesHosted.name, () => {
  it.each([
    error(
      400,
      "Invalid value: 'web_search'. Supported values are: 'function' and 'custom'.",
      { param: 'tools[1].type' },
    ),
    error(400, 'Hosted tools need a tool server.'),
    error(422, 'Input should be a valid value', { param: 'include.0' }),
    error(400, 'web_search_preview is not available in your region'),
    error(424, 'Error retrieving the list of a server: wiki'),
  ])('takes %s for one, perhaps', (failure) => {
    expect(refusesHosted(failure)).toBe(true);
  });

  it.each([
    error(400, 'Unsupported value: temperature'),
    error(400, 'No tool output found for function call a.', { param: 'input' }),
    error(404, 'The model `x` does not exist', { code: 'model_not_found' }),
    error(500, 'The tool server failed'),
    error(429, 'Too many requests to web_search'),
    new AppError('empty_output'),
  ])('does not take %s for one', (failure) => {
    expect(refusesHosted(failure)).toBe(false);
  });
});
