import type { Client } from '../../support/client';
import { Stand } from '../../support/processes/stand';

const INVOCATIONS = '/api/v1/tool-invocations';
const CHAT = '/api/v1/chat';
const PUBLIC = 'https://example.com/sonde';
/** What some proxies send, and any caller can. */
const FORGED = {
  'x-forwarded-prefix': '/evil',
  'x-forwarded-host': 'evil.example',
  forwarded: 'host=evil.example;proto=http',
};
const later = {
  tool_name: 'deep_research',
  arguments: { research_question: 'The history of kimchi', background: true },
};

describe('a service whose callers reach it under a path of a proxy', () => {
  let stand: Stand;
  let client: Client;
  let plain: Client;

  beforeAll(async () => {
    stand = await Stand.start({ researchMs: 50 });
    await stand.addApi({ RELAY_PUBLIC_URL: `${PUBLIC}/` });
    plain = stand.client();
    client = stand.client(1);
  });
  afterAll(() => stand.stop());

  it('names addresses below that path, whatever a header says', async () => {
    const run = await client.post(INVOCATIONS, later, FORGED);
    const { invocation_id } = run.body;
    expect(run.headers.get('location')).toBe(
      `/sonde${INVOCATIONS}/${invocation_id}`,
    );
    const chat = await client.post(
      CHAT,
      { message: 'Hello', background: true },
      FORGED,
    );
    expect(chat.headers.get('location')).toBe(
      `/sonde${CHAT}/${chat.body.chat_id}`,
    );
    const { body } = await client.get('/openapi.json');
    expect(body.servers).toMatchObject([{ url: PUBLIC }]);
  });

  it('names them at its own root without the setting', async () => {
    const run = await plain.post(INVOCATIONS, later, FORGED);
    expect(run.headers.get('location')).toBe(
      `${INVOCATIONS}/${run.body.invocation_id}`,
    );
    const { body } = await plain.get('/openapi.json');
    expect(body.servers).toMatchObject([{ url: '/' }]);
  });
});
