import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  calling,
  runChat,
  type ChatFrame,
  deltaText,
  answering,
  CHAT_MODES,
} from '../../support/chat/chats';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';

const PAGE = 'https://sandbox.example/en/sourdough';
const SECRET = 'secret-of-the-wiki';
const ASKS = {
  web: 'What is sourdough?',
  sum: 'What is 2 + 3?',
  image: 'Draw a picture of a cat',
  leave: 'How many days of leave are there?',
};

const folder = mkdtempSync(join(tmpdir(), 'hosted-in-chat-'));
const config = (name: string, content: object): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};
/** A configuration in which chat has these hosted tools. */
const configured = (...chat: string[]) => ({
  RELAY_HOSTED_TOOLS_CONFIG: config(`${chat.join('-')}.json`, {
    web_search: { allowedDomains: ['sandbox.example'], contextSize: 'low' },
    file_search: { vectorStoreIds: ['vs_1'] },
    mcp: {
      wiki: {
        url: 'https://wiki.internal.example/mcp',
        trusted: true,
        authorization: '${WIKI_TOKEN}',
      },
    },
    chat,
  }),
  WIKI_TOKEN: SECRET,
});
const OPEN = ['web_search', 'code_interpreter', 'image_generation'];

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['agents', 'responses'])(
  'hosted tools of a chat with the engine "%s"',
  (engine) => {
    let stand: Stand;

    const start = (env: Record<string, string>) => async () => {
      stand = await Stand.start({
        researchMs: 50,
        env: {
          RELAY_CHAT_ENGINES: engine,
          LITELLM_CHAT_MODEL: 'gpt-5.5',
          ...env,
        },
      });
    };
    const reset = () => stand.reset();
    const stop = () => stand.stop();
    const ask = (
      mode: (typeof CHAT_MODES)[number],
      message: string,
      more = {},
    ) => runChat(mode, stand.client(), { message, ...more });
    const offered = async () =>
      (await stand.requests()).map(({ body }) =>
        (body.tools ?? [])
          .map(({ type }: { type: string }) => type)
          .filter((type: string) => type !== 'function'),
      );

    describe('of the open web', () => {
      beforeAll(start(configured(...OPEN)));
      afterEach(reset);
      afterAll(stop);

      it.each(CHAT_MODES)(
        'search and cite sources, in a %s chat',
        async (mode) => {
          const { reply, frames } = await ask(mode, ASKS.web);
          expect(reply).toMatchObject({
            status: 'completed',
            tool_called: false,
            tool_calls: [],
            contents: null,
            sources: [{ url: PAGE }],
          });
          expect(reply.citations.length).toBeGreaterThan(0);
          const characters = Array.from(reply.content as string);
          for (const { url, title, start_index, end_index } of reply.citations)
            expect(characters.slice(start_index, end_index).join('')).toBe(
              `([${title}](${url}))`,
            );
          expect(await offered()).toEqual([OPEN]);
          const [{ body }] = await stand.requests();
          expect(body.tools).toContainEqual({
            type: 'web_search',
            search_context_size: 'low',
            filters: { allowed_domains: ['sandbox.example'] },
          });
          if (mode !== 'plain') expect(deltaText(frames)).toBe(reply.content);
        },
      );

      it.each(CHAT_MODES)('compute in a %s chat', async (mode) => {
        const { reply } = await ask(mode, ASKS.sum);
        expect(reply).toMatchObject({
          content: expect.stringContaining('2 + 3 = 5'),
          citations: null,
          sources: null,
          contents: null,
        });
      });

      it.each(CHAT_MODES)('draw in a %s chat', async (mode) => {
        const { reply, frames } = await ask(mode, ASKS.image);
        const image = {
          data: expect.stringMatching(/^iVBORw0KGgo/),
          mime_type: 'image/png',
        };
        expect(reply).toMatchObject({
          content: expect.stringContaining('Here is the image.'),
          contents: [{ type: 'image', image }],
        });
        if (mode === 'streamed')
          expect(imagesIn(frames)).toEqual([
            expect.objectContaining({ type: 'image', image }),
          ]);
      });

      it.each(CHAT_MODES)(
        'remain available after a tool call, in a %s chat',
        async (mode) => {
          const message = calling('deep_research', {
            research_question: 'Kimchi in detail',
          });
          const { reply } = await ask(mode, message);
          expect(reply).toMatchObject({ tool_name: 'deep_research' });
          const all = (await offered()).filter((types) =>
            types.includes(OPEN[2]),
          );
          expect(all).toEqual([OPEN, OPEN]);
        },
      );

      it('are absent in a request without tools', async () => {
        await ask('plain', ASKS.web, { auto_tool_call: false });
        expect(await offered()).toEqual([[]]);
      });
    });

    describe('with a guardrail of citations', () => {
      beforeAll(
        start({
          ...configured(...OPEN),
          RELAY_GUARDRAILS: 'citations:refuse',
        }),
      );
      afterEach(reset);
      afterAll(stop);

      it.each(CHAT_MODES)(
        'may cite what they found, in a %s chat',
        async (mode) => {
          const { reply, frames } = await ask(mode, ASKS.web);
          expect(reply).toMatchObject({
            guardrail: null,
            content: expect.stringContaining(PAGE),
            sources: [{ url: PAGE }],
          });
          expect(reply.citations).not.toBeNull();
          if (mode !== 'plain') expect(deltaText(frames)).toBe(reply.content);
        },
      );

      it.each(CHAT_MODES)('still return images, in a %s chat', async (mode) => {
        const { reply } = await ask(mode, ASKS.image);
        expect(reply.contents).toMatchObject([{ type: 'image' }]);
      });

      it.each(CHAT_MODES)(
        'may cite nothing else, in a %s chat',
        async (mode) => {
          const made = 'https://made-up.example/bread';
          const { reply, bytes } = await ask(mode, answering(`See ${made}`));
          expect(reply).toMatchObject({
            guardrail: { name: 'citations', stage: 'output' },
            sources: null,
          });
          expect(bytes).not.toContain(made);
        },
      );
    });

    describe('of private sources', () => {
      beforeAll(start(configured('file_search', 'mcp:wiki')));
      afterEach(reset);
      afterAll(stop);

      it.each(CHAT_MODES)(
        'are called, and their secrets reach only the endpoint, in a %s chat',
        async (mode) => {
          const { reply, bytes } = await ask(mode, ASKS.leave);
          expect(reply.content).toContain('25 days of leave');
          const [{ body }] = await stand.requests();
          expect(body.tools).toEqual(
            expect.arrayContaining([
              { type: 'file_search', vector_store_ids: ['vs_1'] },
              {
                type: 'mcp',
                server_label: 'wiki',
                server_url: 'https://wiki.internal.example/mcp',
                require_approval: 'never',
                authorization: SECRET,
              },
            ]),
          );
          const seen = [...stand.apis, ...stand.workers].map(
            ({ output }) => output,
          );
          expect([bytes, ...seen].join('\n')).not.toMatch(
            new RegExp(`${SECRET}|wiki\\.internal`),
          );
        },
      );
    });
  },
);

describe.each([
  ['by a model that supports none', { LITELLM_CHAT_MODEL: 'gpt-4o' }],
  [
    'with the engine "prompt"',
    { LITELLM_CHAT_MODEL: 'gpt-5.5', RELAY_CHAT_ENGINES: 'prompt' },
  ],
])('hosted tools of a chat %s', (_, env) => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ env: { ...configured(...OPEN), ...env } });
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  it.each(CHAT_MODES)('are omitted in a %s chat', async (mode) => {
    const message = ASKS.web;
    const { reply } = await runChat(mode, stand.client(), { message });
    expect(reply).toMatchObject({
      status: 'completed',
      content: expect.stringMatching(/\S/),
      citations: null,
      sources: null,
    });
    const bodies = (await stand.requests()).map(({ body }) =>
      JSON.stringify(body),
    );
    expect(bodies).toHaveLength(1);
    for (const kind of OPEN) expect(bodies[0]).not.toContain(`"${kind}"`);
  });
});

describe('an agent', () => {
  const start = (...hostedTools: string[]) =>
    Service.spawn('main', {
      ...configured('code_interpreter'),
      RELAY_AGENTS_CONFIG: config('agents.json', {
        start: 'guide',
        agents: { guide: { instructions: 'Guide.', hostedTools } },
      }),
    });

  it.each([
    ['mcp:news', 'names mcp:news, which is not configured'],
    ['web_search', /names web_search and private sources together/],
  ])('with %s the service does not start', async (name, fault) => {
    const service = start('file_search', name);
    expect(await service.end()).toBe(1);
    expect(service.output).toMatch(
      /^RELAY_AGENTS_CONFIG names a file in which agents\.guide\.hostedTools .*\n$/,
    );
    expect(service.output).toMatch(fault);
  });
});

function imagesIn(frames: readonly ChatFrame[]): object[] {
  return frames
    .filter(({ event }) => event === 'delta')
    .flatMap(({ data }) => data.contents ?? [])
    .filter(({ type }: { type?: string }) => type === 'image');
}
