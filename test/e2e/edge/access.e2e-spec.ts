import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { all, type Client, Invocation } from '../../support/client';
import { expectProblem } from '../../support/problem';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';

const RESEARCH = '/api/v1/tool-invocations';
const CHAT = '/api/v1/chat';
const ALICE = 'the-key-of-alice';
const BOB = 'the-key-of-bob';
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

const missing = { status: 401, code: 'missing_api_key' };
const wrong = { status: 401, code: 'invalid_api_key' };
const forbidden = { status: 403, code: 'invalid_invocation_token' };

type Route = readonly [method: string, path: string];
const CONTRACT = JSON.parse(
  readFileSync(join(__dirname, '../../../openapi.json'), 'utf8'),
) as { paths: Record<string, object> };
const ALL_ROUTES = Object.entries(CONTRACT.paths).flatMap(
  ([path, operations]) =>
    Object.keys(operations).map((method): Route => [
      method.toUpperCase(),
      path,
    ]),
);
const PUBLIC = /^\/health\/|^\/api\/v1\/shared$/;
const GROUP = /^\/admin\/|^\/api\/v1\/(tool-invocations|chat)\/\{\w+\}/;
/** Every route of the contract is of one record, an administrator's, open to all by name, or requires a key. */
const groupOf = (path: string): string =>
  PUBLIC.test(path) ? 'public' : (GROUP.exec(path)?.[0] ?? 'keyed');
const routesOf = (group: string): Route[] =>
  ALL_ROUTES.filter(([, path]) => groupOf(path) === group);
/** Every route of one record, as what follows its path. */
const below = (path: string): Route[] =>
  routesOf(path).map(([method, route]) => [
    method,
    route.slice(path.length).replace(/\{\w+\}/g, '0'),
  ]);
/** Below a record, but buys another one: whoever has a token alone has none to buy for. */
const BUYS = '/continue';
const TOUCHES = below(`${RESEARCH}/{id}`);
const CHAT_TOUCHES = below(`${CHAT}/{chat_id}`);
/** In OpenAI's form, or of another protocol: the contract does not have them. */
const BESIDE = [
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/embeddings'],
  ['GET', '/v1/models'],
  ['GET', '/v1/models/gpt-5.5'],
  ['POST', '/v1/responses'],
  ['GET', '/v1/responses/resp_0'],
  ['GET', '/v1/responses/resp_0/input_items'],
  ['POST', '/v1/responses/resp_0/cancel'],
  ['DELETE', '/v1/responses/resp_0'],
  ['POST', '/mcp'],
] as const satisfies Route[];

describe('a service with the API keys of two callers', () => {
  let stand: Stand;
  let anonymous: Client;
  let alice: Client;
  let bob: Client;

  beforeAll(async () => {
    const keys = `alice:${sha256(ALICE)},bob:${sha256(BOB)}`;
    stand = await Stand.start({ env: { RELAY_API_KEYS: keys } });
    anonymous = stand.client();
    alice = anonymous.as(ALICE);
    bob = anonymous.as(BOB);
  });
  afterAll(() => stand.stop());

  const chatOf = (client: Client) =>
    client.post(CHAT, { message: 'hello', background: true });
  /** The token of a link that shares a report of this caller. */
  const sharedBy = async (client: Client): Promise<string> => {
    const run = await client.submit();
    await run.wait();
    return (await client.post(`${run.path}/share`)).body.share_token;
  };

  const ROUTES = routesOf('keyed');

  it.each(ROUTES)('%s %s requires a key', async (method, path) => {
    const reply = await anonymous.request(method, path);
    expectProblem(reply, missing);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each(routesOf('/admin/'))(
    '%s %s requires a key of an administrator',
    async (method, path) => {
      const route = path.replace(/\{\w+\}/g, '0');
      expectProblem(await anonymous.request(method, route), missing);
      const refusal = { status: 403, code: 'insufficient_scope' };
      expectProblem(await alice.request(method, route), refusal);
    },
  );

  it.each(BESIDE)('%s %s requires a key', async (method, path) => {
    const reply = await anonymous.request(method, path);
    expect(reply.status).toBe(401);
    expect(JSON.stringify(reply.body)).toMatch('missing_api_key');
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    ['another key', 'Bearer not-a-key'],
    ['the hash of a key', `Bearer ${sha256(ALICE)}`],
    ['a name', 'Bearer alice'],
    ['nothing', 'Bearer'],
    ['another scheme', `Basic ${btoa(`alice:${ALICE}`)}`],
    ['two keys', `Bearer ${ALICE} ${BOB}`],
  ])('a request with %s is rejected', async (_, authorization) => {
    // Of all routes alike; more failures of one address would be slowed down.
    for (const [method, path] of ROUTES.slice(0, 4)) {
      const reply = await anonymous.request(method, path, {
        headers: { authorization },
      });
      expectProblem(reply, wrong);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('a wrong key is rejected even beside a valid token', async () => {
    const { path, headers } = await alice.submit();
    expectProblem(await anonymous.as('not-a-key').get(path, headers), wrong);
  });

  it('health requires no key, and a shared report its link alone', async () => {
    const headers = { 'x-share-token': await sharedBy(alice) };
    expect(routesOf('public')).toHaveLength(3);
    for (const [method, path] of routesOf('public')) {
      const reply = await anonymous.request(method, path, { headers });
      expect(reply.status).toBe(200);
    }
    expectProblem(await anonymous.get('/api/v1/shared'), {
      status: 404,
      code: 'share_not_found',
    });
  });

  it('the documentation requires a key', async () => {
    for (const path of ['/docs', '/docs/', '/openapi.json', '/docs/x.js'])
      expect([401, 404]).toContain((await anonymous.get(path)).status);
    expectProblem(await anonymous.get('/openapi.json'), missing);
    expect((await alice.get('/openapi.json')).status).toBe(200);
    expect((await alice.get('/docs')).status).toBe(200);
  });

  it('the documentation asks a browser for the key, and nobody else', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const path of ['/docs', '/docs/']) {
      const { status, headers, body } = await anonymous.get(path, { accept });
      expect(status).toBe(401);
      expect(headers.get('content-type')).toMatch(/^text\/html/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('vary')).toMatch(/accept/);
      expect(body).toMatch(/<input name="key" type="password"/);
      // The one script of the page is the one that may run.
      const [, script] = /<script>([^]*?)<\/script>/.exec(body)!;
      const hash = createHash('sha256').update(script).digest('base64');
      const policy = headers.get('content-security-policy');
      expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
      expect(policy).toMatch(/^default-src 'none'/);
    }
    const wants = { accept };
    expectProblem(await anonymous.get('/docs', { accept: '*/*' }), missing);
    expectProblem(await anonymous.get('/docs'), missing);
    expectProblem(await anonymous.get('/openapi.json', wants), missing);
    expectProblem(await anonymous.as('nobody').get('/docs', wants), wrong);
    for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
      expect((await anonymous.get(`/docs/${file}`)).status).toBe(200);
    for (const file of ['swagger-ui-init.js', 'swagger-ui-bundle.js/../x'])
      expectProblem(await anonymous.get(`/docs/${file}`, wants), missing);
    expect((await alice.get('/docs', wants)).body).toMatch(/swagger-ui/);
  });

  it('a caller has full access to what it submitted, without the token', async () => {
    const { id } = await alice.submit();
    const own = new Invocation(alice, id, '');
    expect((await own.wait()).status).toBe('completed');
    expect(await own.read()).toMatchObject({
      invocation_id: id,
      invocation_token: null,
    });
    expect((await all(own.events())).at(-1)!.event).toBe('completed');
    expect((await own.cancel()).status).toBe(200);
    expect((await own.remove()).status).toBe(204);
  });

  it('the token gives full access to its one invocation, without a key', async () => {
    const held = (await alice.submit()).through(anonymous);
    expect((await held.wait()).status).toBe('completed');
    expect((await held.read()).invocation_token).toBeNull();
    expect((await all(held.events())).at(-1)!.event).toBe('completed');
    expect((await held.cancel()).status).toBe(200);
    expect((await held.remove()).status).toBe(204);
  });

  it('any other credentials are rejected by every route of an invocation and of a chat, and nothing changes', async () => {
    const invocation = await alice.submit();
    const other = await bob.submit();
    const chat = (await chatOf(alice)).body;
    const shared = await sharedBy(alice);
    const records = [
      [invocation.path, invocation.token, TOUCHES, 'invocation_not_found'],
      [`${CHAT}/${chat.chat_id}`, chat.invocation_token, CHAT_TOUCHES, 'chat_not_found'],
    ] as const; // prettier-ignore
    for (const [path, token, touches, code] of records) {
      const tokens = [
        undefined,
        '',
        other.token,
        invocation.id,
        shared,
        token.slice(0, -1),
        `${token}a`,
        sha256(token),
      ];
      for (const [client, answer] of [
        [anonymous, forbidden],
        // A caller with a key does not learn that the record exists.
        [bob, { status: 404, code }],
      ] as const)
        for (const given of tokens)
          for (const [method, rest] of touches)
            expectProblem(
              await client.request(method, path + rest, {
                headers:
                  given === undefined ? {} : { 'x-invocation-token': given },
              }),
              client === anonymous && rest === BUYS ? missing : answer,
            );
    }
    expect((await invocation.wait()).status).toBe('completed');
    const kept = await alice.settled(`${CHAT}/${chat.chat_id}`);
    expect(kept.body.status).toBe('completed');
  });

  it('an unknown id is reported as unknown and nothing else', async () => {
    for (const client of [anonymous, alice])
      for (const [path, touches, code] of [
        [`${RESEARCH}/inv_0`, TOUCHES, 'invocation_not_found'],
        [`${CHAT}/chat_0`, CHAT_TOUCHES, 'chat_not_found'],
      ] as const)
        for (const [method, rest] of touches)
          expectProblem(
            await client.request(method, path + rest),
            client === anonymous && rest === BUYS
              ? missing
              : { status: 404, code },
          );
  });

  it('each caller lists its own invocations, newest first, page by page', async () => {
    const before = await bob.get(`${RESEARCH}?limit=100`);
    const mine = [await bob.submit(), await bob.submit(), await bob.submit()];
    await alice.submit();
    const ids = mine.map(({ id }) => id).reverse();
    const first = (await bob.get(`${RESEARCH}?limit=2`)).body;
    const idsOf = (page: { data: { invocation_id: string }[] }): string[] =>
      page.data.map(({ invocation_id }) => invocation_id);
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(first.has_more).toBe(true);
    const rest = (await bob.get(`${RESEARCH}?cursor=${first.next_cursor}`))
      .body;
    expect(idsOf(rest)).toEqual([ids[2], ...idsOf(before.body)]);
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('one caller cannot replay the idempotency key of another', async () => {
    const key = { 'idempotency-key': 'the-same' };
    const replies = await Promise.all([
      alice.research({ background: true }, key),
      bob.research({ background: true }, key),
    ]);
    const [one, other] = replies.map(({ body }) => body.invocation_id);
    expect(one).not.toBe(other);
  });

  it('neither keys nor tokens are stored', async () => {
    const { token } = await alice.submit();
    const stored = await stand.redis.dump();
    expect(stored).toContain(sha256(token));
    for (const secret of [token, ALICE, BOB])
      expect(stored).not.toContain(secret);
  });
});

describe('a service without API keys', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await Stand.start();
  });
  afterAll(() => stand.stop());

  it('accepts work from any local caller', async () => {
    expect((await stand.client().research()).status).toBe(200);
    expect((await stand.client().get('/api/v1/tools')).status).toBe(200);
  });

  it('lists nothing to requests through a proxy, whose caller is unknown', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expectProblem(await stand.client().get(RESEARCH, headers), missing);
  });

  it('opens no invocation without its token', async () => {
    const { path } = await stand.client().submit();
    for (const [method, rest] of TOUCHES)
      expectProblem(
        await stand.client().request(method, path + rest),
        forbidden,
      );
  });
});

describe('an invalid configuration', () => {
  it.each([
    ['RELAY_HOST', '0.0.0.0'],
    ['RELAY_PORT', '70000'],
    ['RELAY_ALLOW_ANONYMOUS', 'yes'],
    ['RELAY_API_KEYS', 'alice:s3cret'],
    ['RELAY_API_KEYS', `ghost:${sha256('')}`],
    ['RELAY_CORS_ORIGINS', '*'],
    ['LITELLM_BASE_URL', 'https://user:s3cret@upstream/v1'],
    ['REDIS_URL', 'redis://user:s3cret@host:99999'],
  ])(
    'stops the start with one line that contains no possible secret: %s=%s',
    async (name, value) => {
      const service = Service.spawn('all-in-one', { [name]: value });
      expect(await service.end()).toBe(1);
      expect(service.output).toMatch(
        new RegExp(`^${name} (is|has|holds|names) .+\\. Example: .+\\n$`),
      );
      expect(service.output).not.toContain('s3cret');
    },
  );
});
