import { request } from 'node:http';
import type { Invocation } from '../support/client';
import { Stand } from '../support/processes/stand';
import { waitForEnd } from '../support/event-log';

/** Longer than any default timeout of Node's HTTP, on either side. */
const SILENCE_MS = 345_000;

const CREATE = { method: 'POST', path: '/responses' };

describe('an upstream that is silent for 345 s', () => {
  let stand: Stand;
  let midway: Invocation;
  let beforeHeaders: Invocation;
  let foreground: Promise<{ status?: number; body: string }>;

  // Concurrently, or it would take three times as long.
  beforeAll(async () => {
    stand = await Stand.start({
      env: { RELAY_RESEARCH_TIMEOUT_SECONDS: '900' },
    });
    const matching = (word: string) => ({ ...CREATE, body: word });
    const slow = { kind: 'slow', ms: SILENCE_MS };
    await stand.fault({ ...slow, match: matching('kimchi') });
    await stand.fault({
      kind: 'silence',
      after_events: 6,
      ms: SILENCE_MS,
      match: matching('kimchi'),
    });
    await stand.fault({
      kind: 'hang',
      ms: SILENCE_MS,
      match: matching('sourdough'),
    });
    await stand.fault({ ...slow, match: matching('haenyeo') });
    const ask = (subject: string) =>
      stand.client().submit({ research_question: `The history of ${subject}` });
    midway = await ask('kimchi');
    beforeHeaders = await ask('sourdough');
    foreground = post(`${stand.client().url}/api/v1/tool-invocations`, {
      tool_name: 'deep_research',
      arguments: { research_question: 'The history of haenyeo' },
    });
  });
  afterAll(() => stand.stop());

  const creates = async ({ id }: Invocation) =>
    (await stand.stats()).creates_by_invocation[id];

  it('in the middle of a stream has not failed', async () => {
    expect((await waitForEnd(midway)).status).toBe('completed');
    expect(await creates(midway)).toBe(1);
  });

  it('before the first byte of its response has not failed', async () => {
    expect((await waitForEnd(beforeHeaders)).status).toBe('completed');
    expect(await creates(beforeHeaders)).toBe(1);
  });

  it('keeps a foreground request open, which returns the report', async () => {
    const { status, body } = await foreground;
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ status: 'completed' });
  });
});

/** `fetch` times out after 300 s by itself; this does not. */
function post(
  url: string,
  body: object,
): Promise<{ status?: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      reply.on('end', () => resolve({ status: reply.statusCode, body: text }));
    });
    sent.on('error', reject).end(JSON.stringify(body));
  });
}
