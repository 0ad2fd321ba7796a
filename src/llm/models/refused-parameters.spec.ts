import { omit, refusedParameter } from './refused-parameters';
import { replyError, UpstreamError } from '../upstream/upstream-error';

const body = {
  model: 'm',
  input: 'x',
  background: true,
  include: ['web_search_call.action.sources'],
  reasoning: { effort: 'high', summary: 'auto' },
  store: true,
  stream: true,
  stream_options: { include_usage: true },
  metadata: { invocation_id: 'inv_1' },
  text: { format: { type: 'json_object' } },
  tools: [
    { type: 'web_search', search_context_size: 'low' },
    { type: 'function', name: 'f' },
  ],
  tool_choice: 'auto',
};

const openai = (message: string, param: string | null = null, code = '') => ({
  error: { message, type: 'invalid_request_error', param, code: code || null },
});
const detail = (...loc: string[]) => ({
  detail: [
    {
      type: 'extra_forbidden',
      loc: ['body', ...loc],
      msg: 'Extra inputs are not permitted',
      input: true,
    },
  ],
});

describe(refusedParameter.name, () => {
  it.each<[string | undefined, number, object]>([
    [
      'background',
      400,
      openai(
        "Unsupported parameter: 'background' is not supported with this model.",
        'background',
        'unsupported_parameter',
      ),
    ],
    ['metadata', 400, openai("Unknown parameter: 'metadata'.")],
    [
      'stream_options',
      400,
      openai('Unrecognized request argument supplied: stream_options'),
    ],
    [
      'include',
      400,
      openai('Unrecognized request arguments supplied: include, reasoning'),
    ],
    [
      'reasoning',
      400,
      openai(
        "litellm.UnsupportedParamsError: bedrock does not support parameters: ['reasoning'], for model=m. To drop these, set `litellm.drop_params=True`. Received Model Group=m",
        'None',
        '400',
      ),
    ],
    [
      'store',
      400,
      openai(
        "litellm.UnsupportedParamsError: vertex_ai does not support parameters: {'store': True}, for model=m.",
        'None',
      ),
    ],
    ['metadata', 422, detail('metadata')],
    [
      'store',
      400,
      {
        object: 'error',
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'store'), 'msg': 'Extra inputs are not permitted', 'input': True}]",
        code: 400,
      },
    ],
    [
      'background',
      400,
      openai('This engine does not support the background mode.'),
    ],
    [
      'reasoning.summary',
      400,
      openai(
        'Your organization must be verified to generate reasoning summaries.',
        'reasoning.summary',
        'unsupported_value',
      ),
    ],
    [
      'tools.web_search',
      400,
      openai(
        "Invalid value: 'web_search'. Supported values are: 'function' and 'custom'.",
        'tools[0].type',
        'invalid_value',
      ),
    ],
    ['tools.web_search', 400, openai("Unsupported tool type: 'web_search'")],
    [
      'tools.web_search.search_context_size',
      400,
      openai(
        "Unsupported value: 'low' is not supported.",
        'tools[0].search_context_size',
        'unsupported_value',
      ),
    ],
    ['text.format', 400, openai('Unsupported parameter.', 'text.format.type')],
    [undefined, 400, openai('Bad Request')],
    [undefined, 400, openai("Unknown parameter: 'novelty'.", 'novelty')],
    [undefined, 400, openai("Invalid type for 'input[0]'.", 'input[0]')],
    [
      undefined,
      400,
      openai("Invalid 'tools[1].name'.", 'tools[1].name', 'invalid_value'),
    ],
    [
      undefined,
      400,
      openai(
        "Invalid schema for response_format 'x'.",
        'text.format.schema',
        'invalid_json_schema',
      ),
    ],
    [
      undefined,
      404,
      openai('The model `background` does not exist.', null, 'model_not_found'),
    ],
    [
      undefined,
      400,
      openai(
        "This model's maximum context length is 4096 tokens. Please require fewer in `metadata` or `text`.",
      ),
    ],
    [undefined, 500, openai("Unsupported parameter: 'background'.")],
    [undefined, 429, openai("Unsupported parameter: 'background'.")],
  ])('finds %s in a %i with %j', (path, status, reply) => {
    const error = replyError(status, {}, JSON.stringify(reply));
    expect(refusedParameter(error, body)).toBe(path);
  });

  it('finds nothing if work may have been started', () => {
    const fault = { status: 400, param: 'background', message: 'unsupported' };
    const error = new UpstreamError('upstream_rejected', 'unknown', fault);
    expect(refusedParameter(error, body)).toBeUndefined();
  });
});

describe(omit.name, () => {
  const { tools, tool_choice, stream, stream_options, ...rest } = body;
  const [search, f] = tools;

  it.each<[string, object]>([
    ['reasoning.effort', { ...body, reasoning: { summary: 'auto' } }],
    ['text.format', { ...body, text: undefined }],
    ['tools.web_search', { ...body, tools: [f] }],
    [
      'tools.web_search.search_context_size',
      { ...body, tools: [{ type: search.type }, f] },
    ],
    ['tools', { ...rest, stream, stream_options }],
    ['stream', { ...rest, tools, tool_choice }],
    ['temperature', body],
  ])('leaves out %s', (path, expected) => {
    expect(omit(body, path)).toEqual(expected);
  });
});
