import { createHash } from 'node:crypto';
import { startAgentStand } from '../../support/agent/agent-stand';
import type { Client, Invocation } from '../../support/client';
import { waitForEnd } from '../../support/event-log';
import type { Stand } from '../../support/processes/stand';
import { READERS } from '../../support/report/read.report';

const KIMCHI = 'What is the history of kimchi, and how is it made?';
const ALICE = 'alice-s-key';
const BOB = 'bob-s-key';
const sha256 = (text: string) =>
  createHash('sha256').update(text).digest('hex');

interface Citation {
  url: string;
  title: string;
  quote?: string;
  verdict?: string;
  purged?: boolean;
}

describe('the report of a run', () => {
  let stand: Stand;
  let alice: Client;
  let bob: Client;
  let run: Invocation;
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  let record: any;

  beforeAll(async () => {
    stand = await startAgentStand({
      env: { RELAY_API_KEYS: `alice:${sha256(ALICE)},bob:${sha256(BOB)}` },
    });
    alice = stand.client().as(ALICE);
    bob = stand.client().as(BOB);
    await stand.addWorker();
    run = await alice.submit({ research_question: KIMCHI });
    record = await waitForEnd(run);
  });
  afterAll(() => stand.stop());

  /** The bytes of a reply, for `Client` reads texts. */
  const report = async (
    query: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ) => {
    const reply = await fetch(`${alice.url}${run.path}/report${query}`, {
      method,
      headers: { ...alice.headers, ...headers },
    });
    return { reply, bytes: new Uint8Array(await reply.arrayBuffer()) };
  };

  it.each(Object.keys(READERS))(
    'has the citations of the record as %s',
    async (format) => {
      expect(record).toMatchObject({ status: 'completed', engine: 'agent' });
      const { reply, bytes } = await report(`?format=${format}`);
      expect(reply.status).toBe(200);
      const found = await READERS[format](bytes);
      expect(found.map(({ number }) => number)).toEqual(
        found.map((_, at) => at + 1),
      );
      const squeezed = (text: string | null | undefined) =>
        text?.replace(/\s+/g, '') ?? null;
      const cited = (record.citations as Citation[]).map((one) =>
        JSON.stringify([
          one.title.trim(),
          new URL(one.url).href,
          squeezed(one.quote),
        ]),
      );
      expect(cited.length).toBeGreaterThan(1);
      const read = found.map((one) =>
        JSON.stringify([one.title, one.href, squeezed(one.quote)]),
      );
      expect(read.toSorted()).toEqual([...new Set(cited)].toSorted());
      expect(reply.headers.get('content-disposition')).toMatch(
        new RegExp(
          `^attachment; filename="report-[0-9a-f]{8}\\.${format}"; filename\\*=UTF-8''[\\w%.-]+\\.${format}$`,
        ),
      );
      expect(reply.headers.get('content-length')).toBe(String(bytes.length));
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it('has the windows of its quotes, their pages and verdicts as JSON', async () => {
    const { bytes } = await report('?format=json');
    const { citations, ...rest } = JSON.parse(Buffer.from(bytes).toString());
    expect(rest).toMatchObject({
      invocation_id: run.id,
      question: KIMCHI,
      language: 'en',
      incomplete: false,
      verdicts: { quote_matched: expect.any(Number) },
    });
    for (const { quote, window, read_at, verdict } of citations) {
      expect(window).toContain(quote);
      expect(read_at).toMatch(/Z$/);
      expect(verdict).toBe('quote_matched');
    }
  });

  it('is a page that runs and loads nothing as HTML', async () => {
    const { reply } = await report('?format=html');
    expect(reply.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'; sandbox/,
    );
  });

  it.each([
    [undefined, 'text/markdown'],
    ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['application/json', 'application/json'],
    ['text/markdown;q=0, text/*', 'text/html'],
  ])('is what is accepted: %s', async (accept, type) => {
    const { reply } = await report('', accept ? { accept } : {});
    expect(reply.headers.get('content-type')).toMatch(`${type}`);
    expect(reply.headers.get('vary')).toMatch(/accept/i);
  });

  it('is not sent again as long as it is the same, and has no ranges', async () => {
    const { reply } = await report('?format=md', { range: 'bytes=0-3' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('accept-ranges')).toBe('none');
    const etag = reply.headers.get('etag')!;
    const again = await report('?format=md', { 'if-none-match': etag });
    expect(again.reply.status).toBe(304);
    expect(again.bytes).toHaveLength(0);
    expect(again.reply.headers.get('etag')).toBe(etag);
    const other = await report('?format=html', { 'if-none-match': etag });
    expect(other.reply.status).toBe(200);
    const head = await report('?format=md', {}, 'HEAD');
    expect(head.reply.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    expect(head.reply.headers.get('content-length')).toBe(
      reply.headers.get('content-length'),
    );
  });

  it.each([
    ['?format=rtf', {}, 422, 'validation_failed', 'format'],
    ['?format=md&format=html', {}, 422, 'validation_failed', 'format'],
    ['?formt=md', {}, 422, 'validation_failed', 'formt'],
    ['', { accept: 'image/png' }, 406, 'not_acceptable', undefined],
  ])('is refused with %s %j', async (query, headers, status, code, path) => {
    const refused = await alice.get(
      `${run.path}/report${query}`,
      headers as Record<string, string>,
    );
    expect(refused).toMatchObject({ status, body: { code } });
    if (path) expect(refused.body.errors).toMatchObject([{ path }]);
  });

  it('is for whom the record is for', async () => {
    const path = `${run.path}/report`;
    expect(await bob.get(path)).toMatchObject({
      status: 404,
      body: { code: 'invocation_not_found' },
    });
    expect((await bob.get(path, run.headers)).status).toBe(200);
    const strange = stand.client();
    expect((await strange.get(path)).status).toBe(
      (await strange.get(run.path)).status,
    );
  });

  it('is there once a run of research has ended with one', async () => {
    const waiting = await alice.submit({
      research_question: KIMCHI,
      plan: 'review',
    });
    expect(await alice.get(`${waiting.path}/report`)).toMatchObject({
      status: 409,
      body: { code: 'invocation_not_ended' },
    });
    await waiting.cancel();
    await waitForEnd(waiting);
    expect(await alice.get(`${waiting.path}/report`)).toMatchObject({
      status: 404,
      body: { code: 'report_not_found' },
    });
    const tool = await alice.post('/api/v1/tool-invocations', {
      tool_name: 'get_current_datetime',
      arguments: {},
    });
    expect(
      await alice.get(
        `/api/v1/tool-invocations/${tool.body.invocation_id}/report`,
      ),
    ).toMatchObject({ status: 404, body: { code: 'report_not_found' } });
  });

  it('has no word of a page that was purged, nor the tag that it had', async () => {
    const [{ url, quote }] = record.citations as Required<Citation>[];
    const before = await report('?format=html');
    expect(Buffer.from(before.bytes).toString()).toContain('<blockquote>');
    const query = new URLSearchParams({ url }).toString();
    await alice.request('DELETE', `/api/v1/pages?${query}`);
    const etag = before.reply.headers.get('etag')!;
    const { reply, bytes } = await report('?format=json', {
      'if-none-match': etag,
    });
    expect(reply.status).toBe(200);
    const { citations } = JSON.parse(Buffer.from(bytes).toString());
    const [purged] = citations.filter((one: Citation) => one.url === url);
    expect(purged).toMatchObject({ quote: null, window: null, purged: true });
    expect(JSON.stringify(citations)).not.toContain(JSON.stringify(quote));
    const html = await report('?format=html', { 'if-none-match': etag });
    expect(html.reply.status).toBe(200);
  });
});
