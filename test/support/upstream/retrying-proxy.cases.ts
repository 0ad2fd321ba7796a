import { Stand } from '../processes/stand';
import type { Invocation } from '../client';
import { upstreamText } from '../completed-run';
import { until } from '../until';
import { waitForEnd } from '../event-log';

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

const CREATE = { method: 'POST', path: '/responses' };
const POLL = { method: 'GET', path: '/responses/' };
/** A proxy may drop what it has not read when the connection breaks, so it gets time to pass on what was sent before. */
const BREAK = [
  { kind: 'silence', after_events: 6, ms: 1000 },
  { kind: 'cut', after_events: 6 },
];
const AMBIGUOUS = { status: 'failed', error: { code: 'ambiguous_submit' } };

/** The proxy may have to be installed first. */
const START_MS = 10 * 60_000;

type Fault = Record<string, unknown>;

/** Cases that hold whatever fails behind a proxy that retries, rewrites errors and appends its own ends. */
export function describeRetryingProxy(
  name: string,
  start: (sandboxUrl: string, key: string) => Promise<Proxy>,
): void {
  describe(`behind ${name}`, () => {
    let stand: Stand;
    let proxy: Proxy;

    beforeAll(async () => {
      stand = await Stand.start({ apis: 0, workers: 0, researchMs: 150 });
      proxy = await start(stand.sandbox.url, stand.env.LITELLM_API_KEY);
      stand.env.LITELLM_BASE_URL = proxy.url;
      await Promise.all([stand.addApi(), stand.addWorker()]);
    }, START_MS);
    afterEach(() => stand.reset());
    afterAll(async () => {
      await stand.stop();
      await proxy?.close();
    });

    const purchases = async (id: string) =>
      (await stand.stats()).creates_by_invocation[id] ?? 0;
    const posts = async () =>
      (await stand.stats()).requests.filter(
        ({ method, path }) => method === 'POST' && path === '/responses',
      ).length;
    const research = async (...faults: Fault[]) => {
      for (const fault of faults) await stand.fault(fault);
      const invocation = await stand.client().submit();
      return { invocation, record: await waitForEnd(invocation) };
    };

    /** Purchased once, with the upstream's text as the report; only the proxy can resolve the response id. */
    const expectReport = async (invocation: Invocation) => {
      const record = await waitForEnd(invocation);
      expect(record).toMatchObject({ status: 'completed', error: null });
      const text = await upstreamText(
        { sandbox: { url: proxy.url } },
        record.upstream_response_id,
        stand.env.LITELLM_API_KEY,
      );
      expect(text).not.toBe('');
      expect(record.output_text).toBe(text);
      expect(await purchases(invocation.id)).toBe(1);
    };

    it('the proxy itself purchases twice unless it is asked not to retry', async () => {
      await stand.fault({ kind: 'reset', after_create: true, match: CREATE });
      const reply = await fetch(`${proxy.url}/v1/responses`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stand.env.LITELLM_API_KEY}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          model: 'o3-deep-research',
          input: 'What is kimchi?',
          tools: [{ type: 'web_search_preview' }],
        }),
      });
      await reply.text();
      expect((await stand.stats()).creates).toBe(2);
    });

    describe('a purchase', () => {
      it.each<[string, Fault, number]>([
        ['a reset before it is begun', { kind: 'reset' }, 0],
        ['a reset', { kind: 'reset', after_create: true }, 1],
        ['a 500', { kind: 'status', status: 500 }, 0],
        [
          'a 500 after it was begun',
          { kind: 'status', status: 500, after_create: true },
          1,
        ],
        ['a 502', { kind: 'status', status: 502, body: 'html' }, 0],
        [
          'a 502 after it was begun',
          { kind: 'status', status: 502, body: 'html', after_create: true },
          1,
        ],
        ['a bare 503', { kind: 'status', status: 503 }, 0],
        [
          'a 504 after it was begun',
          { kind: 'status', status: 504, after_create: true },
          1,
        ],
        ['a stream that breaks at once', { kind: 'cut', after_events: 0 }, 1],
        ['a stream that ends at once', { kind: 'end', after_events: 0 }, 1],
      ])('is not repeated after %s', async (_, fault, creates) => {
        const { record, invocation } = await research({
          ...fault,
          match: CREATE,
        });
        expect(record).toMatchObject(AMBIGUOUS);
        expect(await purchases(invocation.id)).toBe(creates);
        expect(await posts()).toBe(1);
      });

      it.each<[string, Fault]>([
        ['a 429', { kind: 'status', status: 429, retry_after: 1 }],
        [
          'an overload',
          { kind: 'status', status: 503, code: 'server_is_overloaded' },
        ],
      ])('is made again after %s, which began nothing', async (_, fault) => {
        await stand.fault({ ...fault, match: CREATE });
        await expectReport(await stand.client().submit());
        expect(await posts()).toBe(2);
      });

      it.each<[string, Fault]>([
        ['before it is begun', {}],
        ['after it was begun', { after_create: true }],
      ])('waits for a late response, %s', async (_, when) => {
        await stand.fault({ kind: 'hang', ms: 600, match: CREATE, ...when });
        await expectReport(await stand.client().submit());
        expect(await posts()).toBe(1);
      });
    });

    describe('a report is complete', () => {
      it.each<[string, ...Fault[]]>([
        ['without any fault'],
        ['when its stream breaks', ...BREAK],
        [
          'when its stream breaks in the text',
          { kind: 'cut', after_events: 60 },
        ],
        ['when its stream ends early', { kind: 'end', after_events: 6 }],
        ['when its stream ends in the text', { kind: 'end', after_events: 60 }],
        ['when its stream is garbage', { kind: 'garbage', after_events: 6 }],
        [
          'when its stream holds garbage',
          { kind: 'garbage', after_events: 6, cut: false },
        ],
        [
          'when its stream is silent',
          { kind: 'silence', after_events: 6, ms: 400 },
        ],
        [
          'when polls fail, too',
          ...BREAK,
          { kind: 'status', status: 500, match: POLL },
          { kind: 'status', status: 502, body: 'html', match: POLL },
          { kind: 'status', status: 429, retry_after: 1, match: POLL },
          { kind: 'reset', match: POLL },
        ],
        [
          'when the run temporarily appears not to exist',
          ...BREAK,
          { kind: 'gone', count: 2 },
        ],
      ])('%s', async (_, ...faults) => {
        for (const fault of faults) await stand.fault(fault);
        await expectReport(await stand.client().submit());
        expect(await posts()).toBe(1);
      });
    });

    it.each<[string, Fault]>([
      ['that fails', { kind: 'failed' }],
      ['that fails by an error event', { kind: 'error_event' }],
    ])('a run %s has failed', async (_, fault) => {
      const { record, invocation } = await research(fault);
      expect(record).toMatchObject({
        status: 'failed',
        error: { code: 'upstream_failed' },
      });
      expect(await purchases(invocation.id)).toBe(1);
    });

    it('a run is cancelled at the upstream', async () => {
      await stand.fault({ kind: 'stay', status: 'in_progress' });
      const invocation = await stand.client().submit();
      await until(
        'the id of the response',
        async (saw) => saw(await invocation.read()).upstream_response_id,
      );
      await invocation.cancel();
      expect((await waitForEnd(invocation)).status).toBe('cancelled');
      expect(await stand.stats()).toMatchObject({ creates: 1, in_flight: 0 });
    });

    describe('without background mode', () => {
      beforeEach(() => stand.configure({ background: false }));

      it.each<[string, object, ...Fault[]]>([
        ['completes', { status: 'completed' }],
        [
          'is not purchased again after a reset',
          AMBIGUOUS,
          { kind: 'reset', after_create: true, match: CREATE },
        ],
        [
          'is not purchased again when its stream breaks',
          // A proxy may notice the break before it has passed on the first events, which have the id.
          {
            error: {
              code: expect.stringMatching(
                /^(upstream_cancelled|ambiguous_submit)$/,
              ),
            },
          },
          { kind: 'cut', after_events: 6 },
        ],
      ])('a run %s', async (_, end, ...faults) => {
        const { record, invocation } = await research(...faults);
        expect(record).toMatchObject(end);
        expect(await purchases(invocation.id)).toBe(1);
      });
    });
  });
}
