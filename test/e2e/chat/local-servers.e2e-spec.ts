import { runChat } from '../../support/chat/chats';
import { waitForEnd } from '../../support/event-log';
import { Stand } from '../../support/processes/stand';
import { LLAMA_CPP, OLLAMA, VLLM } from '../../support/upstream/local-servers';

const QUESTIONS = ['Hello', 'What is 3 + 4?', 'Hello again'];
const MODEL = 'sandbox-plain';

describe.each([
  ['llama.cpp', LLAMA_CPP],
  ['vLLM', VLLM],
  ['Ollama', OLLAMA],
])('before a model server such as %s', (_, { config, faults }) => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      env: { LITELLM_MODEL: MODEL, LITELLM_CHAT_MODEL: MODEL },
    });
  });
  beforeEach(async () => {
    await stand.reset();
    await stand.configure(config);
    for (const fault of faults) await stand.fault(fault);
  });
  afterAll(() => stand.stop());

  it.each(['plain', 'streamed', 'background'] as const)(
    'a chat goes on for three turns, %s',
    async (mode) => {
      const messages: object[] = [];
      for (const text of QUESTIONS) {
        messages.push({ role: 'user', contents: [{ type: 'text', text }] });
        const body = { messages, auto_tool_call: false };
        const { reply } = await runChat(mode, stand.client(), body);
        expect(reply).toMatchObject({ status: 'completed', error: null });
        messages.push(reply.message);
      }
      const { requests } = await stand.stats();
      const refused = requests.filter(({ status }) => status >= 400);
      // The first limit of the output, where the server tells its context only by refusing it.
      expect(refused.length).toBeLessThanOrEqual(
        config === VLLM.config ? 1 : 0,
      );
    },
  );

  it.each(['plain', 'streamed'] as const)(
    'a tool is called and its result answered from, %s',
    async (mode) => {
      const { reply } = await runChat(mode, stand.client(), {
        message:
          '[sandbox: call get_current_datetime {"time_zone": "Asia/Seoul"}]',
        tools: ['get_current_datetime'],
      });
      expect(reply).toMatchObject({
        status: 'completed',
        error: null,
        tool_name: 'get_current_datetime',
      });
    },
  );

  it('plain research is complete', async () => {
    const invocation = await stand.client().submit({
      research_question: 'What is the history of kimchi?',
      engine: 'plain',
    });
    const record = await waitForEnd(invocation);
    expect(record).toMatchObject({ status: 'completed', error: null });
  });
});
