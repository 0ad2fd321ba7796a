import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FixedReply,
  fixedEndpoint,
  PAGE,
} from '../../../test/support/upstream/fixed-endpoint';
import {
  DEFAULT_CHAT_MODELS,
  DEFAULT_RESEARCH_MODELS,
} from '../../config/settings/models/default-models';
import { loadConfig } from '../../config/load-config';
import { ModelCatalog } from './model-catalog';
import { ModelChoice } from './model-choice';
import { UpstreamClient } from '../upstream/upstream.client';

const listOf = (...ids: string[]): FixedReply => ({
  status: 200,
  body: JSON.stringify({
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model' })),
  }),
});
const json = (body: object): FixedReply => ({
  status: 200,
  body: JSON.stringify(body),
});

describe(ModelChoice.name, () => {
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
  });

  async function choose(reply: FixedReply, env: Record<string, string> = {}) {
    const endpoint = await fixedEndpoint(() => reply);
    const config = loadConfig({ LITELLM_BASE_URL: endpoint.url, ...env });
    const client = new UpstreamClient(config);
    closes.push(() => client.onApplicationShutdown(), endpoint.close);
    const catalog = new ModelCatalog(client);
    const choice = await new ModelChoice(catalog, config).known();
    return { choice, catalog, endpoint };
  }

  it.each<[string, string[], string, string]>([
    [
      'the default of earlier versions if it is listed',
      ['gpt-4o', 'gpt-6.1-sol', 'o3-deep-research'],
      'o3-deep-research',
      'gpt-4o',
    ],
    [
      'the next default if it is not listed',
      ['gpt-5.6-luna', 'gpt-5.5', 'gpt-6.1-sol', 'whisper-1'],
      'gpt-6.1-sol',
      'gpt-5.6-luna',
    ],
    [
      'the name that a proxy lists with a path',
      ['azure/gpt-4o', 'openai/gpt-5.5'],
      'openai/gpt-5.5',
      'azure/gpt-4o',
    ],
    [
      'a name without a path rather than one with',
      ['azure/gpt-4o', 'gpt-4o', 'x/o3-deep-research', 'o3-deep-research'],
      'o3-deep-research',
      'gpt-4o',
    ],
  ])('uses %s', async (_, offered, research, chat) => {
    const { choice } = await choose(listOf(...offered));
    expect([choice.research[0], choice.chat]).toEqual([research, chat]);
    expect(choice.faults).toEqual([]);
  });

  it('reports which models it uses, and why', async () => {
    const { choice } = await choose(listOf('gpt-5.5', 'my-model'), {
      LITELLM_CHAT_MODEL: 'my-model',
    });
    expect(choice.summary).toBe(
      'research: gpt-5.5 (o3-deep-research is not listed), chat: my-model (configured)',
    );
  });

  it('uses a configured model that is not listed, and reports it with similar names', async () => {
    const { choice } = await choose(
      listOf('a', 'b', 'c', 'd', 'e', 'f', 'x', 'y', 'gpt-5.5', 'gpt-6.1-sol'),
      { LITELLM_MODEL: 'gpt-5.55', LITELLM_CHAT_MODEL: 'gpt-5.5' },
    );
    expect(choice.research).toEqual(['gpt-5.55']);
    expect(choice.faults).toEqual([
      'model "gpt-5.55" not found; the endpoint lists gpt-5.5, gpt-6.1-sol, a, b, c, d, e, f and 2 more',
    ]);
  });

  it('reports that none of the defaults is listed', async () => {
    const { choice } = await choose(listOf('llama-4', 'llama-5'));
    expect(choice.research).toEqual(['o3-deep-research']);
    expect(choice.faults).toEqual([
      expect.stringMatching(
        /^LITELLM_MODEL is not set and .+ llama-4, llama-5$/,
      ),
      expect.stringMatching(
        /^LITELLM_CHAT_MODEL is not set and .+ llama-4, llama-5$/,
      ),
    ]);
  });

  it('uses the only model that is listed, unless another one is configured', async () => {
    const { choice } = await choose(listOf('llama-4'));
    expect([choice.research, choice.chat]).toEqual([['llama-4'], 'llama-4']);
    expect(choice.faults).toEqual([]);
    expect(choice.summary).toBe(
      'research: llama-4 (the only model), chat: llama-4 (the only model)',
    );
    const named = await choose(listOf('llama-4'), { LITELLM_MODEL: 'mine' });
    expect(named.choice.research).toEqual(['mine']);
    expect(named.choice.chat).toBe('llama-4');
  });

  it('does not use a model that was shut down but is still listed', async () => {
    const { choice } = await choose(
      json({
        data: [
          { id: 'o3-deep-research', shutdown_date: '2026-07-23' },
          { id: 'gpt-5.5', shutdown_date: '2999-01-01' },
          { id: 'gpt-4o' },
        ],
      }),
    );
    expect(choice.research).toEqual(['gpt-5.5']);
  });

  it.each<[string, FixedReply]>([
    ['has no such path', { status: 404, body: '{"detail":"Not Found"}' }],
    ['does not allow it', { status: 405, body: '{}' }],
    ['lists none', listOf()],
    ['sends something else', json({ models: 'all' })],
    ['takes any name', listOf('*')],
    ['takes any name of a provider', listOf('openai/*', 'bedrock/*')],
  ])('goes by the defaults where the endpoint %s', async (_, reply) => {
    const { choice } = await choose(reply, { LITELLM_CHAT_MODEL: 'mine' });
    expect(choice.research.slice(0, 2)).toEqual([
      'o3-deep-research',
      'o4-mini-deep-research',
    ]);
    expect(choice.faults).toEqual([]);
    expect(choice.summary).toContain('the endpoint lists no models');
  });

  it('does not report a name that may be on a further page', async () => {
    const { choice } = await choose(
      json({ data: [{ id: 'gpt-4o' }], has_more: true }),
      { LITELLM_MODEL: 'mine' },
    );
    expect(choice.faults).toEqual([]);
  });

  it('tries the defaults in order while the endpoint refuses them and lists none', async () => {
    const { choice } = await choose(listOf());
    expect(choice.withoutResearch('o3-deep-research')).toBe(true);
    expect(choice.research[0]).toBe('o4-mini-deep-research');
  });

  it.each<[string, FixedReply]>([
    ['upstream_wrong_url', { status: 200, type: 'text/html', body: PAGE }],
    ['upstream_wrong_url', { status: 404, body: PAGE }],
    ['upstream_unauthorized', { status: 401, body: '{}' }],
    ['upstream_error', { status: 500, body: '{}' }],
    [
      'upstream_error',
      { status: 200, body: JSON.stringify({ data: 'x'.repeat(5_000_000) }) },
    ],
  ])('goes by the defaults after %s, which is known', async (code, reply) => {
    const { choice, catalog } = await choose(reply);
    expect(catalog.fault).toBe(code);
    expect(choice.chat).toBe('gpt-4o');
    expect(choice.research[0]).toBe('o3-deep-research');
  });

  it('documents the defaults in .env.example', () => {
    const example = readFileSync(
      join(__dirname, '../../../.env.example'),
      'utf8',
    );
    for (const defaults of [DEFAULT_RESEARCH_MODELS, DEFAULT_CHAT_MODELS])
      expect(example.replace(/\n# /g, ' ')).toContain(
        defaults.slice(1).join(', '),
      );
  });

  it('sends one request for all who wait, and none right after it', async () => {
    const { choice, catalog, endpoint } = await choose(listOf('gpt-4o'));
    await Promise.all([choice.known(), catalog.refresh(), choice.known()]);
    expect(endpoint.asked).toEqual(['GET /v1/models']);
  });
});
