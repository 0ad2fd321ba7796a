import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  all,
  type Client,
  framesOf,
  type Invocation,
} from '../../support/client';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';

const INVOCATIONS = '/api/v1/tool-invocations';
const CHAT = '/api/v1/chat';
const KEY = 'key-of-alice';
const HASH = createHash('sha256').update(KEY).digest('hex');
const APP = 'https://app.example';

const missing = { status: 401, code: 'missing_api_key' };
const forbidden = { status: 403, code: 'invalid_invocation_token' };

/** The first bytes of the response to a request head; the declared body is never sent. */
async function answerToHead(client: Client, head: string): Promise<string> {
  const { hostname, port } = new URL(client.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(
    `${head} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n`,
  );
  const [reply] = (await once(socket, 'data')) as string[];
  socket.destroy();
  return reply;
}

describe('at the edge of a service with API keys', () => {
  let stand: Stand;
  let anonymous: Client;
  let alice: Client;
  let invocation: Invocation;
  let chatPath: string;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      env: { RELAY_API_KEYS: `alice:${HASH}`, RELAY_CORS_ORIGINS: APP },
    });
    anonymous = stand.client();
    alice = anonymous.as(KEY);
    invocation = await alice.submit();
    await invocation.wait();
    const body = { message: 'hello', background: true };
    const { body: chat } = await alice.post(CHAT, body);
    chatPath = `${CHAT}/${chat.chat_id}`;
    await alice.settled(chatPath);
  });
  afterAll(() => stand.stop());

  describe('an unauthorized request', () => {
    it('is rejected before the body is read', async () => {
      for (const [path, code] of [
        [CHAT, 'missing_api_key'],
        [INVOCATIONS, 'missing_api_key'],
        [`${INVOCATIONS}/inv_x/cancel`, 'invocation_not_found'],
        [`${invocation.path}/cancel`, 'invalid_invocation_token'],
        [`${invocation.path}/webhook/redeliver`, 'invalid_invocation_token'],
        [`${CHAT}/x/approvals`, 'chat_not_found'],
        [`${chatPath}/approvals`, 'invalid_invocation_token'],
        [`${chatPath}/answers`, 'invalid_invocation_token'],
        ['/nowhere', 'not_found'],
        ['/health/live', 'method_not_allowed'],
      ])
        expect(await answerToHead(anonymous, `POST ${path}`)).toContain(
          `"code":"${code}"`,
        );
    });

    it('is rejected before any other error is reported', async () => {
      const texts = ['{"broken', '{"unknown": 1}', '[]', ''];
      for (const raw of texts)
        for (const type of ['application/json', 'text/plain'])
          for (const [path, answer] of [
            [CHAT, missing],
            [INVOCATIONS, missing],
            [`${chatPath}/approvals`, forbidden],
          ] as const) {
            const headers = { 'content-type': type };
            const reply = await anonymous.request('POST', path, {
              raw,
              headers,
            });
            expectProblem(reply, answer);
          }
      for (const path of [invocation.path, chatPath]) {
        expectProblem(await anonymous.get(`${path}/wait?timeout=x`), forbidden);
        const events = `${path}/events?last_event_id=x`;
        expectProblem(await anonymous.get(events), forbidden);
      }
      expectProblem(await anonymous.get(`${INVOCATIONS}?limit=x`), missing);
    });
  });

  describe('a ticket', () => {
    const take = async (path: string): Promise<string> => {
      const { status, body } = await alice.post(`${path}/ticket`);
      expect(status).toBe(201);
      expect(Object.keys(body)).toEqual(['ticket', 'expires_at']);
      const left = Date.parse(body.expires_at) - Date.now();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(61_000);
      return body.ticket;
    };
    const paths = (): string[] => [invocation.path, chatPath];

    it('opens the events at any API process, without a header', async () => {
      for (const path of paths()) {
        const ticket = await take(path);
        for (const api of [0, 1]) {
          const { url } = stand.client(api);
          const reply = await fetch(`${url}${path}/events?ticket=${ticket}`, {
            headers: { origin: APP },
          });
          expect(reply.status).toBe(200);
          expect(reply.headers.get('access-control-allow-origin')).toBe(APP);
          const frames = await all(framesOf(reply));
          expect(frames.at(-1)!.event).toBe('completed');
        }
      }
    });

    it('opens nothing else', async () => {
      const refused = { status: 403, code: 'invalid_ticket' };
      const other = await alice.submit();
      for (const path of paths()) {
        const ticket = await take(path);
        const query = `?ticket=${ticket}`;
        for (const place of ['', '/wait'])
          expectProblem(await anonymous.get(path + place + query), forbidden);
        for (const place of ['/cancel', '/ticket'])
          expectProblem(await anonymous.post(path + place + query), forbidden);
        expectProblem(
          await anonymous.request('DELETE', path + query),
          forbidden,
        );
        const headers = { 'x-invocation-token': ticket };
        expectProblem(await anonymous.get(path, headers), forbidden);
        const elsewhere = `${other.path}/events${query}`;
        expectProblem(await anonymous.get(elsewhere), refused);
      }
    });

    it('opens nothing once it is modified', async () => {
      const ticket = await take(invocation.path);
      const [, expires, signature] = ticket.split('_');
      for (const wrong of [
        '',
        'x',
        ticket.slice(0, -1),
        `evt_${Number(expires) + 1}_${signature}`,
        `evt_${expires}_${'0'.repeat(64)}`,
        invocation.token,
        HASH,
      ])
        expectProblem(
          await anonymous.get(`${invocation.path}/events?ticket=${wrong}`),
          { status: 403, code: 'invalid_ticket' },
        );
    });

    it('opens nothing after it expires', async () => {
      const key = createHash('sha256').update(invocation.token).digest();
      const signed = (expires: number): string => {
        const text = `events ${invocation.id} ${expires}`;
        const signature = createHmac('sha256', key).update(text).digest('hex');
        return `${invocation.path}/events?ticket=evt_${expires}_${signature}`;
      };
      const now = Math.floor(Date.now() / 1000);
      expect((await anonymous.get(signed(now + 30))).status).toBe(200);
      expectProblem(await anonymous.get(signed(now - 30)), {
        status: 403,
        code: 'invalid_ticket',
      });
    });

    it('appears in no log', async () => {
      const ticket = await take(invocation.path);
      await anonymous.get(`${invocation.path}/events?ticket=${ticket}`);
      await anonymous.get('/nowhere', { 'x-request-id': 'after-the-ticket' });
      await stand.apis[0].waitForOutput(/after-the-ticket/);
      expect(stand.apis[0].output).not.toContain(ticket);
    });
  });

  it('ends an EventSource that has received the last event', async () => {
    for (const path of [invocation.path, chatPath]) {
      const frames = await all(
        framesOf(await fetch(`${alice.url}${path}/events`, alice)),
      );
      const id = frames.at(-1)!.id!;
      const headers = { 'last-event-id': id };
      const reply = await alice.get(`${path}/events`, headers);
      expect([reply.status, reply.body]).toEqual([204, '']);
      const before = { 'last-event-id': String(Number(id) - 1) };
      expect((await alice.get(`${path}/events`, before)).status).toBe(200);
    }
  });

  it('a 405 names the allowed methods of the path', async () => {
    for (const method of ['QUERY', 'PUT', 'PATCH'])
      for (const [path, allowed] of [
        [CHAT, 'GET, HEAD, POST'],
        [INVOCATIONS, 'GET, HEAD, POST'],
        [invocation.path, 'DELETE, GET, HEAD'],
      ]) {
        const reply = await alice.request(method, path);
        expectProblem(reply, { status: 405, code: 'method_not_allowed' });
        expect(reply.headers.get('allow')).toBe(allowed);
      }
    expect(await answerToHead(alice, `BREW ${CHAT}`)).toMatch(
      /^HTTP\/1\.1 405 (.|\r\n)*Allow: GET, HEAD, POST/,
    );
  });
});

describe('at the edge of a service without API keys', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await Stand.start({ workers: 0 });
  });
  afterAll(() => stand.stop());

  it('a page whose name was rebound to this machine has no access', async () => {
    for (const [headers, code] of [
      ['Host: rebind.evil.example', 'host_not_allowed'],
      ['Host: localhost\r\nOrigin: http://evil.example', 'origin_not_allowed'],
      ['Host: localhost\r\nOrigin: null', 'origin_not_allowed'],
    ]) {
      for (const path of [INVOCATIONS, CHAT, '/docs', '/admin/queues']) {
        const { hostname, port } = new URL(stand.client().url);
        const socket = connect(Number(port), hostname).setEncoding('utf8');
        socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
        const [reply] = (await once(socket, 'data')) as string[];
        socket.destroy();
        expect(reply).toContain(`"code":"${code}"`);
        expect(reply).toMatch(/^HTTP\/1\.1 (421|403) /);
      }
    }
  });

  it('its own pages have access', async () => {
    const { url } = stand.client();
    const reply = await stand.client().get('/api/v1/tools', { origin: url });
    expect(reply.status).toBe(200);
  });
});
