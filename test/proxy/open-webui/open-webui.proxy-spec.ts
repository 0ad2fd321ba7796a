import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { OpenWebUi } from './open-webui';

/** How its requests for a title, tags and follow-up questions begin. */
const TASK = '### Task:';

describe('Open WebUI with the settings of docs/openai-api.md', () => {
  let stand: Stand;
  let program: OpenWebUi;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 90_000,
      env: { RELAY_CHAT_MODELS: 'gpt-4.1', RELAY_REQUIRE_KEYS: 'true' },
    });
    const url = `${stand.apis[0].url}/v1`;
    const keys = [
      await keyOf('webui', 'chat,research'),
      await keyOf('webui-tasks', 'chat'),
    ];
    program = await OpenWebUi.start({
      OPENAI_API_BASE_URLS: [url, url].join(';'),
      OPENAI_API_KEYS: keys.join(';'),
      OPENAI_API_CONFIGS:
        '{"1": {"prefix_id": "tasks", "model_ids": ["gpt-4.1"]}}',
      TASK_MODEL_EXTERNAL: 'tasks.gpt-4.1',
      DEFAULT_MODEL_METADATA: '{"capabilities": {"builtin_tools": false}}',
    });
  }, 1_800_000);
  afterAll(async () => {
    await program?.stop();
    await stand?.stop();
  });
  beforeEach(() => stand.reset());

  async function keyOf(name: string, scopes: string): Promise<string> {
    const args = ['create', name, '--scopes', scopes];
    const env = { REDIS_URL: stand.redis.url };
    return String((await keysCommand(env, ...args)).body.key);
  }

  /** The bodies of requests to the chat model, once the three tasks are among them. */
  async function requests(): Promise<{ task: boolean; tools: string[] }[]> {
    return until('a title, tags and follow-up questions', async (saw) => {
      const asked = saw(await stand.requests())
        .filter(({ body }) => body.model === 'gpt-4.1')
        .map(({ body }) => ({
          task: JSON.stringify(body.input).includes(TASK),
          tools: (body.tools ?? []).map(({ name }: { name: string }) => name),
        }));
      return asked.filter(({ task }) => task).length === 3 && asked;
    });
  }

  it('lists the models of each connection', async () => {
    const models = await program.models();
    expect(models).toEqual(
      expect.arrayContaining(['gpt-4.1', 'sonde-research', 'tasks.gpt-4.1']),
    );
    expect(models).not.toContain('tasks.sonde-research');
  });

  it('has a report of 90 s with its sources; title, tags and follow-up questions buy no other', async () => {
    const reply = await program.ask('sonde-research', 'The history of kimchi');
    expect(reply.content).toMatch(/^# .*kimchi/m);
    expect(reply.sources![0].source.url).toContain('/en/kimchi');
    expect((await requests()).map(({ tools }) => tools)).toEqual([[], [], []]);
    expect((await stand.stats()).creates).toBe(1);
  }, 400_000);

  it('chats with a model that has the tools of Sonde alone', async () => {
    const message = '[sandbox: answer "It is 3 degrees in Seoul."]';
    const reply = await program.ask('gpt-4.1', message);
    expect(reply.content).toBe('It is 3 degrees in Seoul.');
    const asked = await requests();
    const [chat] = asked.filter(({ task }) => !task);
    expect(chat.tools).toEqual(['deep_research']);
  });
});
