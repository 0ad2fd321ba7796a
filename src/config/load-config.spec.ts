import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ConfigError } from './environment';
import { loadConfig } from './load-config';
import { webhookSecrets } from './settings/webhook-settings';

const HASH = 'a'.repeat(64);
const SECRET = `whsec_${'c'.repeat(32)}`;
const NEXT_SECRET = `whsec_${'d'.repeat(42)}A=`;
const ALICE = { RELAY_API_KEYS: `alice:${HASH}` };
const SIGNED = { ...ALICE, RELAY_WEBHOOK_SECRETS: `*:${SECRET}` };

describe(loadConfig.name, () => {
  it.each(['', '\n', 'password', 'Password', 'SECRET', 'test', 'changeme\n'])(
    'refuses the hash of %j as an API key',
    (text) => {
      const hash = createHash('sha256').update(text).digest('hex');
      for (const given of [hash, hash.toUpperCase()])
        expect(() => loadConfig({ RELAY_API_KEYS: `ghost:${given}` })).toThrow(
          /^RELAY_API_KEYS has for "ghost" the hash of an empty or well-known text/,
        );
    },
  );

  it('accepts several keys of one name', () => {
    const next = 'B'.repeat(64);
    const { auth } = loadConfig({ RELAY_API_KEYS: `a:${HASH},a:${next}` });
    expect([...auth.apiKeys]).toEqual([['a', [HASH, 'b'.repeat(64)]]]);
  });

  it('serves the documentation only to keys where any are configured', () => {
    expect(loadConfig(ALICE).http.docs).toBe('key');
    const open = { ...ALICE, RELAY_DOCS: 'public' };
    expect(loadConfig(open).http.docs).toBe('public');
  });

  it.each([
    ['', undefined],
    ['0', [0, 0]],
    ['9464', [9464, 9464]],
    ['9464-9479', [9464, 9479]],
  ])('reads %j as the ports of metrics', (RELAY_METRICS_PORT, ports) => {
    const { metrics } = loadConfig({ RELAY_METRICS_PORT });
    expect(metrics).toEqual({ host: '127.0.0.1', ports });
  });

  it.each(['x', '-1', '9479-9464', '0-5', '65536', '9464,9465', '1-2-3'])(
    'refuses %j as ports of metrics',
    (RELAY_METRICS_PORT) => {
      expect(() => loadConfig({ RELAY_METRICS_PORT })).toThrow(
        /^RELAY_METRICS_PORT (is|has) .+\. Example: 9464-9479$/,
      );
    },
  );

  it('starts with nothing set', () => {
    const config = loadConfig({});
    expect(config.http).toEqual({
      host: '127.0.0.1',
      port: 8080,
      loopback: true,
      allowedHosts: [],
      corsOrigins: [],
      bodyMemoryBytes: 64 * 1024 * 1024,
      bodyTimeoutMs: 30_000,
      docs: 'public',
    });
    expect(config.auth.apiKeys.size).toBe(0);
    expect(config.redis).toBeUndefined();
    expect(config.upstream).toMatchObject({
      baseUrl: undefined,
      researchModels: ['o3-deep-research'],
      namedModels: { research: false, chat: false },
      turnTimeoutMs: 30_000,
      promptedModels: [],
      chatEngines: {
        agentic: ['agents', 'responses', 'prompt'],
        bare: ['responses', 'prompt'],
      },
      maxTurns: 10,
      webhookSecrets: [],
    });
    expect(config.research).toMatchObject({
      timeoutMs: 3_600_000,
      ambiguousSubmit: 'fail',
    });
  });

  it.each([
    [{}, 3600, 300],
    [{ RELAY_RESEARCH_TIMEOUT_SECONDS: '600' }, 600, 600],
    [{ RELAY_CHAT_WAIT_SECONDS: '60' }, 3600, 60],
    [
      { RELAY_CHAT_WAIT_SECONDS: '60', RELAY_RESEARCH_TIMEOUT_SECONDS: '600' },
      600,
      60,
    ],
  ])('with %j limits a run to %d s and a request to %d s', (set, run, held) => {
    const { research, runs } = loadConfig(set);
    expect(research.timeoutMs).toBe(run * 1000);
    expect(runs.maxWaitMs).toBe(held * 1000);
  });

  it('reads which models get their tools in the prompt', () => {
    const names = 'gpt-oss-40, my-llama*';
    const config = loadConfig({ DISABLE_NATIVE_TOOLS_FOR_MODELS: names });
    expect(config.upstream.promptedModels).toEqual(['gpt-oss-40', 'my-llama*']);
  });

  it('accepts a research model for chats where its profile takes tools', () => {
    const LITELLM_CHAT_MODEL = 'my-deep-research';
    const RELAY_MODEL_PROFILES = 'my-deep-research:reasoning';
    const { upstream } = loadConfig({
      LITELLM_CHAT_MODEL,
      RELAY_MODEL_PROFILES,
    });
    expect(upstream.chatModel).toBe('my-deep-research');
  });

  it('reads which models a chat may choose, and which headers are forwarded', () => {
    const RELAY_CHAT_MODELS = 'gpt-4o, my-llama';
    const RELAY_FORWARD_HEADERS = 'X-Tenant-Id, x-tenant-id';
    const { upstream } = loadConfig({
      RELAY_CHAT_MODELS,
      RELAY_FORWARD_HEADERS,
    });
    expect(upstream.chatModels).toEqual(['gpt-4o', 'my-llama']);
    expect(upstream.forwardedHeaders).toEqual(['x-tenant-id']);
  });

  it('reads which guardrails are on, and what each does', () => {
    const RELAY_GUARDRAILS = 'citations:refuse, pii:redact';
    expect([...loadConfig({ RELAY_GUARDRAILS }).guardrails]).toEqual([
      ['citations', 'refuse'],
      ['pii', 'redact'],
    ]);
    expect(loadConfig({}).guardrails.size).toBe(0);
  });

  it('makes the folder of documents absolute', () => {
    const { documents } = loadConfig({ RELAY_DOCUMENTS_DIR: './src' });
    expect(documents.folder).toBe(resolve('src'));
    expect(loadConfig({}).documents.folder).toBeUndefined();
  });

  it('makes the folder of more tools absolute', () => {
    const { tools } = loadConfig({ RELAY_TOOLS_DIR: './src' });
    expect(tools.folder).toBe(resolve('src'));
    expect(loadConfig({}).tools.folder).toBeUndefined();
  });

  it('cannot be changed afterwards', () => {
    const config = loadConfig({});
    expect(() => Object.assign(config.http, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config, { redis: {} })).toThrow(TypeError);
  });

  it('treats an empty value as unset', () => {
    expect(loadConfig({ RELAY_PORT: ' ', REDIS_URL: '' })).toEqual(
      loadConfig({}),
    );
  });

  it.each([
    ['https://api.openai.com', 'https://api.openai.com/v1'],
    ['https://api.openai.com/v1/', 'https://api.openai.com/v1'],
    ['http://proxy:4000/openai', 'http://proxy:4000/openai/v1'],
  ])('reads the upstream %s as %s', (given, baseUrl) => {
    expect(loadConfig({ LITELLM_BASE_URL: given }).upstream.baseUrl).toBe(
      baseUrl,
    );
  });

  it('accepts several webhook secrets, with a prefix or without', () => {
    const OPENAI_WEBHOOK_SECRET = 'whsec_bmV3IHNlY3JldA==, the old one';
    const { upstream } = loadConfig({ OPENAI_WEBHOOK_SECRET });
    expect(upstream.webhookSecrets).toEqual([
      'whsec_bmV3IHNlY3JldA==',
      'the old one',
    ]);
  });

  it('tries the engines of chat in the order in which they are named', () => {
    const RELAY_CHAT_ENGINES = 'prompt, agents';
    const listed = ['prompt', 'agents'];
    expect(loadConfig({ RELAY_CHAT_ENGINES }).upstream.chatEngines).toEqual({
      agentic: listed,
      bare: listed,
    });
  });

  it('takes "auto" for the engines of chat, as where nothing is set', () => {
    const { upstream } = loadConfig({ RELAY_CHAT_ENGINES: 'auto' });
    expect(upstream.chatEngines).toEqual(loadConfig({}).upstream.chatEngines);
  });

  it.each<[variable: string, fault: string, environment: NodeJS.ProcessEnv]>([
    [
      'RELAY_CHAT_ENGINES',
      'names "sdk", not one of agents, responses, prompt',
      { RELAY_CHAT_ENGINES: 'sdk,prompt' },
    ],
    [
      'RELAY_CHAT_ENGINES',
      'names "auto" beside other engines',
      { RELAY_CHAT_ENGINES: 'auto,prompt' },
    ],
    [
      'RELAY_CHAT_ENGINES',
      'names "agents" twice',
      { RELAY_CHAT_ENGINES: 'agents,prompt,agents' },
    ],
    [
      'RELAY_CHAT_ENGINES',
      'lacks prompt',
      { RELAY_CHAT_ENGINES: 'agents', DISABLE_NATIVE_TOOLS_FOR_MODELS: 'm' },
    ],
    ...['authorization', 'Cookie', 'x-api-key', 'Host', 'TE', 'x-my-token']
      .concat(['content-type', 'x-forwarded-for', 'proxy-x', 'traceparent'])
      .map((name): [string, string, NodeJS.ProcessEnv] => [
        'RELAY_FORWARD_HEADERS',
        'which is never forwarded',
        { RELAY_FORWARD_HEADERS: `x-tenant-id,${name}` },
      ]),
    [
      'RELAY_FORWARD_HEADERS',
      'which is no header',
      { RELAY_FORWARD_HEADERS: 'x tenant' },
    ],
    [
      'LITELLM_CHAT_MODEL',
      'names "openai/o3-deep-research", which researches',
      { LITELLM_CHAT_MODEL: 'openai/o3-deep-research' },
    ],
    [
      'LITELLM_CHAT_MODEL',
      'names "mine", which researches',
      { LITELLM_CHAT_MODEL: 'mine', RELAY_MODEL_PROFILES: 'mine:research' },
    ],
    [
      'RELAY_CHAT_MODELS',
      'names "o4-mini-deep-research", which researches',
      { RELAY_CHAT_MODELS: 'gpt-4o-mini,o4-mini-deep-research' },
    ],
    [
      'RELAY_MAX_RESEARCH_PER_CHAT',
      'outside 0..1000',
      { RELAY_MAX_RESEARCH_PER_CHAT: '1001' },
    ],
    ['RELAY_MAX_TURNS', 'outside 1..100', { RELAY_MAX_TURNS: '0' }],
    [
      'RELAY_GUARDRAILS',
      'names "pi", not one of pii, citations',
      { RELAY_GUARDRAILS: 'citations:refuse,pi:redact' },
    ],
    [
      'RELAY_GUARDRAILS',
      'not name:redact|refuse',
      { RELAY_GUARDRAILS: 'pii:log' },
    ],
    [
      'RELAY_GUARDRAILS',
      'names "pii" twice',
      { RELAY_GUARDRAILS: 'pii:redact,pii:refuse' },
    ],
    ['RELAY_PORT', 'is "80a", not a whole number', { RELAY_PORT: '80a' }],
    ['RELAY_PORT', 'outside 0..65535', { RELAY_PORT: '65536' }],
    ['RELAY_HOST', 'others can reach', { RELAY_HOST: '0.0.0.0' }],
    [
      'RELAY_ALLOW_ANONYMOUS',
      'not one of true, false',
      { RELAY_HOST: '0.0.0.0', RELAY_ALLOW_ANONYMOUS: 'yes' },
    ],
    ['RELAY_API_KEYS', 'name:sha256hex', { RELAY_API_KEYS: 'alice:plain' }],
    ['RELAY_API_KEYS', 'twice', { RELAY_API_KEYS: `a:${HASH},a:${HASH}` }],
    ['RELAY_API_KEYS', 'twice', { RELAY_API_KEYS: `a:${HASH},b:${HASH}` }],
    ['RELAY_ALLOWED_HOSTS', 'name', { RELAY_ALLOWED_HOSTS: 'a.example:80' }],
    ['RELAY_ALLOWED_HOSTS', 'name', { RELAY_ALLOWED_HOSTS: 'https://a.b' }],
    ['RELAY_PUBLIC_URL', 'URL', { RELAY_PUBLIC_URL: '/sonde' }],
    ['RELAY_PUBLIC_URL', 'URL', { RELAY_PUBLIC_URL: 'ftp://example.com' }],
    ['RELAY_PUBLIC_URL', 'query', { RELAY_PUBLIC_URL: 'https://e.com/?a' }],
    ['RELAY_PUBLIC_URL', 'cred', { RELAY_PUBLIC_URL: 'https://a:b@e.com' }],
    ['RELAY_CORS_ORIGINS', 'origin', { RELAY_CORS_ORIGINS: '*' }],
    ['RELAY_CORS_ORIGINS', 'origin', { RELAY_CORS_ORIGINS: 'https://a.b/' }],
    ['RELAY_CORS_ORIGINS', 'origin', { RELAY_CORS_ORIGINS: 'ftp://a.b' }],
    ...['http://10.0.0.0/8', 'http://*.internal', 'wiki.internal', '*'].map(
      (origin): [string, string, NodeJS.ProcessEnv] => [
        'RELAY_PAGES_ALLOWED_ORIGINS',
        'origin',
        { RELAY_PAGES_ALLOWED_ORIGINS: `http://wiki.internal:8090,${origin}` },
      ],
    ),
    ['RELAY_DOCS', 'not one of', { RELAY_DOCS: 'yes' }],
    ['RELAY_DOCS', 'no API keys are required', { RELAY_DOCS: 'key' }],
    ['RELAY_BODY_MEMORY_MB', 'outside', { RELAY_BODY_MEMORY_MB: '1' }],
    [
      'RELAY_BODY_TIMEOUT_SECONDS',
      'outside',
      { RELAY_BODY_TIMEOUT_SECONDS: '0' },
    ],
    ['RELAY_ADMIN_USER', 'is not set', { RELAY_ADMIN_PASSWORD: 'x' }],
    ['RELAY_ADMIN_PASSWORD', 'is not set', { RELAY_ADMIN_USER: 'x' }],
    ['LITELLM_BASE_URL', 'not an http(s) URL', { LITELLM_BASE_URL: 'openai' }],
    [
      'LITELLM_BASE_URL',
      'credentials',
      { LITELLM_BASE_URL: 'https://me:pw@proxy/v1' },
    ],
    ['LITELLM_BASE_URL', 'query', { LITELLM_BASE_URL: 'http://proxy/?a=1' }],
    [
      'LITELLM_BASE_URL',
      'Example: https://proxy/x/v1',
      { LITELLM_BASE_URL: 'https://proxy/x/v1/chat/completions/' },
    ],
    [
      'LITELLM_BASE_URL',
      'ends in /responses',
      { LITELLM_BASE_URL: 'https://proxy/v1/responses' },
    ],
    [
      'RELAY_MODEL_PROFILES',
      'research|reasoning|plain',
      { RELAY_MODEL_PROFILES: 'my-model:fast' },
    ],
    [
      'OPENAI_WEBHOOK_SECRET',
      'base64',
      { OPENAI_WEBHOOK_SECRET: 'whsec_bmV3IHNlY3JldA==,whsec_not base64' },
    ],
    ['OPENAI_WEBHOOK_SECRET', 'base64', { OPENAI_WEBHOOK_SECRET: 'whsec_' }],
    ['RELAY_TIMEOUT_SECONDS', 'seconds', { RELAY_TIMEOUT_SECONDS: '1m' }],
    [
      'RELAY_CHAT_WAIT_SECONDS',
      'outside 1..86400',
      { RELAY_CHAT_WAIT_SECONDS: '86401' },
    ],
    [
      'RELAY_RESEARCH_TIMEOUT_SECONDS',
      'outside 1..',
      { RELAY_RESEARCH_TIMEOUT_SECONDS: '0' },
    ],
    ['RESEARCH_CONCURRENCY', 'whole number', { RESEARCH_CONCURRENCY: '-1' }],
    ['RESEARCH_LEASE_SECONDS', 'outside', { RESEARCH_LEASE_SECONDS: '0.5' }],
    [
      'RELAY_AMBIGUOUS_SUBMIT',
      'not one of fail, resubmit',
      { RELAY_AMBIGUOUS_SUBMIT: 'retry' },
    ],
    ['RELAY_MAX_INVOCATIONS', 'outside', { RELAY_MAX_INVOCATIONS: '0' }],
    ['RELAY_MAX_STREAM_BYTES', 'outside', { RELAY_MAX_STREAM_BYTES: '0' }],
    ['RELAY_RETENTION_SECONDS', 'outside', { RELAY_RETENTION_SECONDS: '0' }],
    [
      'RELAY_WEBHOOK_SECRETS',
      'not name:whsec_',
      { RELAY_WEBHOOK_SECRETS: 'x' },
    ],
    [
      'RELAY_WEBHOOK_SECRETS',
      'not name:whsec_',
      { RELAY_WEBHOOK_SECRETS: `*:whsec_${'c'.repeat(28)}` },
    ],
    [
      'RELAY_WEBHOOK_SECRETS',
      'not name:whsec_',
      { RELAY_WEBHOOK_SECRETS: `*:whsec_${'c'.repeat(88)}` },
    ],
    [
      'RELAY_WEBHOOK_SECRETS',
      'not name:whsec_',
      { RELAY_WEBHOOK_SECRETS: `*:${SECRET}!` },
    ],
    [
      'RELAY_WEBHOOK_SECRETS',
      '"bob", which RELAY_API_KEYS does not',
      { ...ALICE, RELAY_WEBHOOK_SECRETS: `bob:${SECRET}` },
    ],
    [
      'RELAY_WEBHOOK_URLS',
      'not name=url',
      { ...SIGNED, RELAY_WEBHOOK_URLS: 'https://a.example' },
    ],
    [
      'RELAY_WEBHOOK_URLS',
      '"bob", which RELAY_API_KEYS does not',
      { ...SIGNED, RELAY_WEBHOOK_URLS: 'bob=https://a.example' },
    ],
    [
      'RELAY_WEBHOOK_URLS',
      'twice',
      {
        ...SIGNED,
        RELAY_WEBHOOK_URLS: 'alice=https://a.example,alice=https://b.example',
      },
    ],
    [
      'RELAY_WEBHOOK_URLS',
      'RELAY_WEBHOOK_SECRETS has no secret',
      { ...ALICE, RELAY_WEBHOOK_URLS: 'alice=https://a.example' },
    ],
    [
      'RELAY_WEBHOOK_URLS',
      'not an https URL',
      { ...SIGNED, RELAY_WEBHOOK_URLS: 'alice=http://a.example' },
    ],
    [
      'RELAY_WEBHOOK_ALLOW_PRIVATE',
      'not one of true, false',
      { RELAY_WEBHOOK_ALLOW_PRIVATE: '1' },
    ],
    [
      'RELAY_DOCUMENTS_DIR',
      'is not a folder that can be read',
      { RELAY_DOCUMENTS_DIR: __filename },
    ],
    [
      'RELAY_DOCUMENTS_DIR',
      'is not a folder that can be read',
      { RELAY_DOCUMENTS_DIR: `${__dirname}/nowhere` },
    ],
    [
      'RELAY_TOOLS_DIR',
      'is not a folder that can be read',
      { RELAY_TOOLS_DIR: `${__dirname}/nowhere` },
    ],
    ['REDIS_URL', 'is not a Redis URL', { REDIS_URL: 'localhost' }],
    ['RELAY_LOG_LEVEL', 'not one of', { RELAY_LOG_LEVEL: 'loud' }],
  ])('refuses a bad %s in one line: %s', (variable, fault, environment) => {
    const load = (): unknown => loadConfig(environment);
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(fault);
    expect(load).toThrow(new RegExp(`^${variable} [^\\n]*\\. Example: \\S`));
  });

  it.each(['redis://me:hunter2@', 'redis://u:hunter2@host:99999'])(
    'never repeats a password in %s',
    (url) => {
      try {
        loadConfig({ REDIS_URL: url });
      } catch (fault) {
        expect((fault as Error).message).not.toContain('hunter2');
        return;
      }
      throw new Error('was not refused');
    },
  );

  it('never repeats a webhook secret', () => {
    const load = (): unknown =>
      loadConfig({ OPENAI_WEBHOOK_SECRET: 'whsec_hunter2!' });
    expect(load).toThrow(/^(?!.*hunter2)/);
    expect(load).toThrow(ConfigError);
  });

  it.each([
    ['0.5', 500],
    ['.5', 500],
    ['30.', 30_000],
    ['1e2', 100_000],
  ])('takes %s for seconds', (given, ms) => {
    const { upstream } = loadConfig({ RELAY_TIMEOUT_SECONDS: given });
    expect(upstream.turnTimeoutMs).toBe(ms);
  });

  it.each(['1024.0', '+1024', '1.024e3'])('reads %s as 1024', (given) => {
    const { runs } = loadConfig({ RELAY_MAX_INVOCATIONS: given });
    expect(runs.maxUnfinished).toBe(1024);
  });

  it.each(['1024.5', '0x10', '1_000', 'NaN', '1e999', '-1'])(
    'refuses %s as a whole number',
    (given) => {
      expect(() => loadConfig({ RELAY_MAX_INVOCATIONS: given })).toThrow(
        /^RELAY_MAX_INVOCATIONS is /,
      );
    },
  );

  it.each([
    { RELAY_WEBHOOK_SECRETS: `bob:${SECRET}` },
    { RELAY_WEBHOOK_SECRETS: `*:${SECRET}=` },
    { ...SIGNED, RELAY_WEBHOOK_URLS: `alice=http://a.example/?${SECRET}` },
  ])('never repeats a secret of webhooks', (environment) => {
    expect(() => loadConfig(environment)).toThrow(ConfigError);
    expect(() => loadConfig(environment)).not.toThrow(SECRET);
  });

  it('accepts several secrets of one name, and a webhook for each API key', () => {
    const { webhooks } = loadConfig({
      ...ALICE,
      RELAY_WEBHOOK_SECRETS: `alice:${SECRET},alice:${NEXT_SECRET},*:${SECRET}`,
      RELAY_WEBHOOK_URLS: 'alice=https://a.example/?b=c',
    });
    expect(webhookSecrets(webhooks, 'alice')).toEqual([SECRET, NEXT_SECRET]);
    expect(webhookSecrets(webhooks, undefined)).toEqual([SECRET]);
    expect(webhooks.urls.get('alice')).toBe('https://a.example/?b=c');
  });

  it.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])(
    'needs no keys on the loopback host %s',
    (host) => {
      expect(loadConfig({ RELAY_HOST: host }).http.loopback).toBe(true);
    },
  );
});

describe('LITELLM_API_KEY', () => {
  const keyOf = (LITELLM_API_KEY: string) =>
    loadConfig({ LITELLM_API_KEY }).upstream.apiKey;

  it.each([
    ['a line break', 'sk-ab\ncd', 'U\\+000A'],
    ['an invisible space', 'sk-ab\u200bcd', 'U\\+200B'],
    ['a character of another script', 'sk-ab가', 'U\\+AC00'],
  ])('is refused with %s in it, and not shown', (_, key, code) => {
    const fault = new RegExp(`^LITELLM_API_KEY has the character ${code} `);
    expect(() => keyOf(key)).toThrow(fault);
    expect(() => keyOf(key)).not.toThrow('sk-ab');
  });

  it('is taken without the white space around it', () => {
    expect(keyOf(' sk-ab_c.d/e+f= \n')).toBe('sk-ab_c.d/e+f=');
  });
});
