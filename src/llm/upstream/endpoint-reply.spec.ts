import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorCode } from '../../platform/errors';
import { refusedParameter } from '../models/refused-parameters';
import { refusesImages, refusesTools } from '../models/refusals';
import { isUnexplainedRefusal } from '../models/unexplained-refusal';
import { endpointReply } from './endpoint-reply';
import { replyError } from './upstream-error';

/** What LiteLLM made of the replies of an endpoint, by its versions, providers and APIs. */
interface Captured {
  by: string;
  provider: string;
  /** The name of the reply of the endpoint. */
  case: string;
  api: string;
  status: number;
  error: { message: string };
}
const captured = JSON.parse(
  readFileSync(
    join(__dirname, '../../../test/support/upstream/litellm-replies.json'),
    'utf8',
  ),
) as Captured[];

/** A request with everything that a refusal may be about. */
const REQUEST = {
  model: 'm',
  temperature: 1,
  messages: [{ role: 'user', content: [{ type: 'image_url' }] }],
  tools: [],
};

interface Read {
  code: ErrorCode;
  isUnexplained: boolean;
  ofTools: boolean;
  ofImages: boolean;
  parameter?: string;
}
const nothing: Read = {
  code: 'upstream_rejected',
  isUnexplained: false,
  ofTools: false,
  ofImages: false,
};
const bare = { ...nothing, isUnexplained: true };
const withCode = (code: ErrorCode): Read => ({ ...nothing, code });

/** What each reply of an endpoint means, whatever is put around it. */
const MEANINGS: Record<string, Read> = {
  bare400: bare,
  bare422: bare,
  empty400: bare,
  detail422: bare,
  text400: bare,
  context: withCode('context_length_exceeded'),
  vllmcontext: withCode('context_length_exceeded'),
  tools: { ...nothing, ofTools: true, parameter: 'tools' },
  ollamatools: { ...nothing, ofTools: true },
  image: { ...nothing, ofImages: true },
  auth: withCode('upstream_unauthorized'),
  quota: withCode('upstream_quota_exceeded'),
  notfound: withCode('model_not_found'),
  param: { ...nothing, parameter: 'temperature' },
  policy: withCode('content_policy'),
  broken: withCode('upstream_error'),
};

describe(endpointReply.name, () => {
  it.each(
    captured.map((row) => [row.case, row.provider, row.by, row] as const),
  )(
    'reads "%s" of %s behind LiteLLM %s as the endpoint meant it',
    (_, __, ___, { case: meaning, status, error }) => {
      const failure = replyError(status, {}, JSON.stringify({ error }));
      const { parameter, ...expected } = MEANINGS[meaning];
      // Where LiteLLM passes on the message alone, the code is lost.
      if (meaning === 'quota' && !error.message.includes('insufficient_quota'))
        expected.code = 'upstream_rate_limited';
      expect({
        code: failure.code,
        isUnexplained: isUnexplainedRefusal(failure),
        ofTools: refusesTools(failure),
        ofImages: refusesImages(failure, REQUEST),
      }).toEqual(expected);
      if (parameter === 'temperature')
        expect(refusedParameter(failure, REQUEST)).toBe(parameter);
      expect(failure.fault.message).not.toMatch(/litellm|exception -/i);
    },
  );

  const wrap = (text: string, head = 'litellm.BadRequestError: ') => ({
    error: {
      message: `${head}${text}\n\nLiteLLM: model group 'image-tools' failed with the error above.`,
      code: '400',
    },
  });

  it('reads a reply through several gateways, up to three', () => {
    const own = { error: { message: 'Bad Request' } };
    type Reply = Record<string, unknown>;
    const behind = (reply: Reply, gateways: number): Reply =>
      gateways === 0
        ? reply
        : behind(wrap(`AnyException - ${JSON.stringify(reply)}`), gateways - 1);
    expect(endpointReply(behind(own, 3))).toEqual(own);
    expect(endpointReply(behind(own, 4))).not.toEqual(own);
  });

  it.each([
    ['a class alone', wrap('No tools.'), 'No tools.'],
    [
      'the wording of earlier versions',
      {
        error: {
          message:
            'litellm.BadRequestError: OpenAIException - Bad Request. Received Model Group=gpt-oss-40\nAvailable Model Group Fallbacks=None',
        },
      },
      'Bad Request',
    ],
    ['no gateway', { error: { message: 'It - failed.' } }, 'It - failed.'],
    [
      'a gateway in the middle of a text',
      { error: { message: 'See litellm.BadRequestError: no.' } },
      'See litellm.BadRequestError: no.',
    ],
    [
      'a text that only begins like a reply',
      wrap('XException - {"error": {"code": "slow_down"}'),
      '{"error": {"code": "slow_down"}',
    ],
  ])('leaves the words of the endpoint behind %s', (_, reply, message) => {
    expect(endpointReply(reply)).toMatchObject({ error: { message } });
  });
});
