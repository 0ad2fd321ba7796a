import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import { all, type Client, joined } from '../../support/client';

import { connectNewer, type McpClient } from '../../support/mcp/mcp-clients';
import { openAi, refusal } from '../../support/openai/openai-client';
import { priceFile } from '../../support/price-table';
import { sameDay } from '../../support/processes/preload';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const KEY = 'the-key-of-alice';
const RUNS = '/api/v1/tool-invocations';
const HOUR = 3_600_000;
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

/** What each door can do with a run, which all of them know by the same digits. */
interface Door {
  begin(question: string): Promise<string>;
  /** Undefined: there is no such run. */
  status(run: string): Promise<string | undefined>;
  report(run: string): Promise<string>;
  cancel(run: string): Promise<unknown>;
  /** A client of the Model Context Protocol cannot. */
  remove?(run: string): Promise<unknown>;
}

const digitsOf = (id: string): string => id.slice(id.indexOf('_') + 1);

function rest(client: Client): Door {
  const path = (run: string) => `${RUNS}/inv_${run}`;
  return {
    async begin(research_question) {
      const { body } = await client.research({
        research_question,
        background: true,
      });
      return digitsOf(body.invocation_id);
    },
    async status(run) {
      const { status, body } = await client.get(path(run));
      return status === 404 ? undefined : body.status;
    },
    report: async (run) => (await client.get(path(run))).body.output_text,
    cancel: (run) => client.post(`${path(run)}/cancel`),
    remove: (run) => client.request('DELETE', path(run)),
  };
}

function responses({ responses: api }: OpenAI): Door {
  return {
    async begin(input) {
      const model = 'sonde-research';
      const { id } = await api.create({ model, input, background: true });
      return digitsOf(id);
    },
    async status(run) {
      try {
        const { status } = await api.retrieve(`resp_${run}`);
        return status;
      } catch (error) {
        const { status } = await refusal(Promise.reject(error));
        return status === 404 ? undefined : String(status);
      }
    },
    report: async (run) => (await api.retrieve(`resp_${run}`)).output_text,
    cancel: (run) => api.cancel(`resp_${run}`),
    remove: (run) => api.delete(`resp_${run}`),
  };
}

function mcp(client: McpClient): Door {
  const call = async (tool: string, run: string) => {
    const { isError, structured, content } = await client.call(tool, {
      invocation_id: `inv_${run}`,
    });
    if (isError && !/not found|no invocation/i.test(JSON.stringify(content)))
      throw new Error(JSON.stringify(content));
    return isError ? undefined : structured;
  };
  return {
    async begin(research_question) {
      const args = { research_question };
      const { structured } = await client.call('research_start', args);
      return digitsOf(String(structured.invocation_id));
    },
    status: async (run) =>
      (await call('research_status', run))?.status as string | undefined,
    report: async (run) =>
      (await call('research_result', run))?.output_text as string,
    cancel: (run) => call('research_cancel', run),
  };
}

const NAMES = ['rest', 'responses', 'mcp'] as const;
const PAIRS = NAMES.flatMap((from) =>
  NAMES.filter((to) => to !== from).map((to) => [from, to] as const),
);

describe('a run of research behind three doors', () => {
  const prices = priceFile({
    '*': { inputPerMillion: 10, outputPerMillion: 100 },
  });
  let stand: Stand;
  let client: Client;
  let openai: OpenAI;
  let protocol: McpClient;
  let doors: Record<(typeof NAMES)[number], Door>;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      researchMs: 100,
      env: {
        ...sameDay(),
        RELAY_API_KEYS: `alice:${sha256(KEY)}`,
        RELAY_PRICES_CONFIG: prices.path,
      },
    });
    client = stand.client().as(KEY);
    openai = openAi(stand.apis[1].url, KEY);
    protocol = await connectNewer(stand.apis[0].url, KEY);
    doors = {
      rest: rest(client),
      responses: responses(openai),
      mcp: mcp(protocol),
    };
  });
  afterEach(async () => {
    await stand.reset();
    await stand.configure({ research_ms: 100 });
  });
  afterAll(async () => {
    await protocol.close();
    await stand.stop();
    prices.remove();
  });

  const usage = async () => {
    const { data } = (await client.get('/api/v1/usage')).body;
    const [{ usage: lines = [] } = {}] = data;
    const { count = 0, cost_usd = 0 } = lines[0] ?? {};
    return { count, cost_usd };
  };
  const ended = (door: Door, run: string) =>
    until(
      `the run ${run} to be completed`,
      async (saw) => saw(await door.status(run)) === 'completed',
    );

  it.each(NAMES)(
    'that was begun at %s has one report, one log and one bill',
    async (from) => {
      const before = await usage();
      const run = await doors[from].begin(`The history of tea, by ${from}`);
      for (const name of NAMES) await ended(doors[name], run);
      const text = await doors.rest.report(run);
      for (const name of NAMES)
        expect([name, await doors[name].report(run)]).toEqual([name, text]);
      const invocation = client.invocation(`inv_${run}`, '');
      expect(joined(await all(invocation.follow()))).toBe(text);
      const stream = await openai.responses.retrieve(`resp_${run}`, {
        stream: true,
      });
      let streamed = '';
      for await (const event of stream)
        if (event.type === 'response.output_text.delta')
          streamed += event.delta;
      expect(streamed).toBe(text);
      expect((await stand.stats()).creates).toBe(1);
      const { cost } = (await client.get(`${RUNS}/inv_${run}`)).body;
      await until(
        'the run to be billed once',
        async (saw) => saw(await usage()).count === before.count + 1,
      );
      const added = (await usage()).cost_usd - before.cost_usd;
      expect(added).toBeCloseTo(cost.spent, 9);
    },
  );

  it.each(PAIRS)(
    'that was begun at %s is cancelled at %s',
    async (from, to) => {
      await stand.configure({ research_ms: HOUR });
      const run = await doors[from].begin(`The history of ${from} and ${to}`);
      await until(
        'one purchase',
        async (saw) => saw(await stand.stats()).creates === 1,
      );
      await doors[to].cancel(run);
      for (const name of NAMES)
        await until(
          `the run to be cancelled at ${name}`,
          async (saw) => saw(await doors[name].status(run)) === 'cancelled',
        );
      await until(
        'one cancellation at the provider',
        async (saw) => saw(await stand.stats()).cancels === 1,
      );
    },
  );

  it.each(PAIRS.filter(([, to]) => to !== 'mcp'))(
    'that was begun at %s and deleted at %s is unknown at every door',
    async (from, to) => {
      const run = await doors[from].begin(`The end of ${from} and ${to}`);
      await ended(doors[to], run);
      await doors[to].remove!(run);
      for (const name of NAMES)
        expect([name, await doors[name].status(run)]).toEqual([
          name,
          undefined,
        ]);
    },
  );
});
