import { Stand } from '../support/processes/stand';
import { LiteLlm, type LiteLlmVersion } from './litellm';

const START_MS = 10 * 60_000;
const MODEL = 'gpt-4o';

/** The words that an endpoint has for a request with tools which it does not take. */
const REFUSALS = [
  { status: 400, message: 'Bad Request' },
  { status: 422, message: 'Unprocessable Entity' },
];

export function describeBareRefusals(version: LiteLlmVersion): void {
  describe(`an endpoint behind LiteLLM ${version} that refuses tools without a reason`, () => {
    let stand: Stand;
    let proxy: LiteLlm;

    beforeAll(async () => {
      stand = await Stand.start({ apis: 0, researchMs: 100 });
      const key = stand.env.LITELLM_API_KEY;
      proxy = await LiteLlm.start(stand.sandbox.url, key, version);
      stand.env.LITELLM_BASE_URL = proxy.url;
    }, START_MS);
    afterEach(() => stand.reset());
    afterAll(async () => {
      await stand.stop();
      await proxy?.close();
    });

    it.each(REFUSALS)(
      'gets them in the prompt after $status $message, and the chat is answered from its research',
      async (refusal) => {
        // An API that has learnt nothing yet.
        const at = stand.apis.length;
        await stand.addApi({ LITELLM_CHAT_MODEL: MODEL });
        const match = { model: MODEL, body: '"tools"' };
        await stand.fault({ kind: 'status', ...refusal, count: 0, match });
        const { status, body } = await stand.client(at).post('/api/v1/chat', {
          message: '짜장면의 역사를 자세히 알려줘',
        });
        expect({ status, body }).toMatchObject({
          status: 200,
          body: {
            status: 'completed',
            error: null,
            tool_calls: [{ tool_name: 'deep_research' }],
          },
        });
      },
    );
  });
}
