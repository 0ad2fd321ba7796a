import { createHash } from 'node:crypto';
import type { Client, Reply } from '../../support/client';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';

const KEY = 'the-key-of-alice';
const HASH = createHash('sha256').update(KEY).digest('hex');
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

describe('the console', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start();
    client = stand.client();
  });
  afterAll(() => stand.stop());

  const page = (headers: Record<string, string>, path = '/') =>
    fetch(stand.apis[0].url + path, { headers });
  /** The addresses that the page loads. */
  const assets = async () => {
    const text = await (await page({ accept: 'text/html' })).text();
    return [...text.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
  };

  it('is at the base URL for browsers, under a policy that lets nothing but its own files run', async () => {
    const reply = await page({ accept: 'text/html,*/*;q=0.8' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/html/);
    expect(reply.headers.get('cache-control')).toBe('no-cache');
    const policy = reply.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).toMatch(/require-trusted-types-for 'script'/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const text = await reply.text();
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|style=|https?:/);
  });

  it('loads files whose names never stand for another content, compressed where that is accepted', async () => {
    const paths = await assets();
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const reply = await page({ 'accept-encoding': 'br' }, path);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('cache-control')).toMatch(/immutable/);
      expect(reply.headers.get('content-encoding')).toBe('br');
    }
    expectProblem(await client.get('/assets/other-12345678.js'), {
      status: 404,
      code: 'not_found',
    });
    expectProblem(await client.get('/assets/..%2findex.html'), {
      status: 404,
      code: 'not_found',
    });
  });

  it('gives programs an overview in its place', async () => {
    const { status, body } = await client.get('/');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'sonde',
      api_key: false,
      links: { openapi: 'openapi.json', tools: 'api/v1/tools' },
    });
  });

  it('opens the runs of this machine without their tokens, where there are no keys', async () => {
    const { id, path } = await client.submit();
    const own = await client.get(path, OWN_PAGE);
    expect([own.status, own.body.invocation_id]).toEqual([200, id]);
    const wait = await client.settled(path, OWN_PAGE);
    expect(wait.body.status).toBe('completed');
    const refused = { status: 403, code: 'invalid_invocation_token' };
    const others: Promise<Reply>[] = [
      client.get(path),
      client.get(path, { 'sec-fetch-site': 'same-site' }),
      client.get(path, { 'sec-fetch-site': 'cross-site' }),
      client.get(path, { 'sec-fetch-site': 'none' }),
      client.get(path, { ...OWN_PAGE, 'x-invocation-token': 'ivt_wrong' }),
      client.get(path, { ...OWN_PAGE, 'x-forwarded-for': '192.0.2.1' }),
    ];
    for (const reply of await Promise.all(others))
      expectProblem(reply, refused);
    expectProblem(await client.get(`/api/v1/chat/${id}`, OWN_PAGE), {
      status: 404,
      code: 'chat_not_found',
    });
  });

  it('opens nothing without a key, where there are keys', async () => {
    const closed = await Stand.start({
      env: { RELAY_API_KEYS: `alice:${HASH}` },
    });
    try {
      const alice = closed.client().as(KEY);
      const { body } = await alice.research({ background: true });
      const path = `/api/v1/tool-invocations/${body.invocation_id}`;
      const reply = await closed.client().get(path, OWN_PAGE);
      expect(reply.status).toBe(403);
      const front = await closed.client().get('/');
      expect(front.body.api_key).toBe(true);
    } finally {
      await closed.stop();
    }
  });
});
