import {
  AgentWorld,
  researchTask,
} from '../../../../test/support/agent/agent-world';
import {
  Crash,
  MemoryJournal,
} from '../../../../test/support/agent/memory-journal';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../../sandbox/testing/sandbox-under-test';
import { loadConfig } from '../../../config/load-config';
import { LearntModels } from '../../../llm/models/learnt-models';
import { CompletionClient } from '../../../llm/single-attempt/completion.client';
import { TokenCounter } from '../../../llm/tokens/token-counter';
import { UpstreamClient } from '../../../llm/upstream/upstream.client';
import { research } from '../agent';
import { estimatedUsage, roomOf } from './output-room';

const MODEL = 'sandbox-plain';
const never = new AbortController().signal;
const task = () => researchTask({}, { depth: 'quick' });

interface Logged {
  body: { max_tokens?: number; max_output_tokens?: number };
}

describe(roomOf.name, () => {
  let sandbox: SandboxUnderTest;
  const upstreams: UpstreamClient[] = [];
  beforeAll(async () => void (sandbox = await sandboxUnderTest()));
  beforeEach(() => think(3_000));
  afterEach(() => sandbox.reset());
  afterAll(async () => {
    for (const one of upstreams) await one.onApplicationShutdown();
    await sandbox.close();
  });

  const think = (thinks: number) =>
    sandbox.config({ models: { [MODEL]: { thinks } } });
  /** The ports of a worker that has learnt nothing. */
  const worker = (contextTokens = 32_768) => {
    const config = loadConfig({ LITELLM_BASE_URL: sandbox.url });
    const upstream = new UpstreamClient(config);
    upstreams.push(upstream);
    const complete = new CompletionClient(
      upstream,
      new LearntModels(),
      new TokenCounter(),
      config,
    );
    const { models, ...ports } = new AgentWorld({ contextTokens }).ports;
    const model = { ...models.writer, name: MODEL };
    return {
      ...ports,
      complete,
      modelTimeoutMs: 60_000,
      models: { writer: model, reader: model, critic: model, verifier: model },
    };
  };
  const limits = async () => {
    const path = '/sandbox/requests?last=500';
    const { data } = await sandbox.get<{ data: Logged[] }>(path);
    return data.map(({ body }) =>
      Number(body.max_tokens ?? body.max_output_tokens),
    );
  };
  /** The attempts that were all reasoning. */
  const grown = ({ entries }: MemoryJournal) =>
    [...entries.values()].filter(({ value = '' }) =>
      value.includes('within its reasoning'),
    ).length;

  it('lets a model that reasons for 3,000 tokens in every call complete a report, and learns its room once', async () => {
    const journal = new MemoryJournal();
    const report = await research(task(), journal, worker(), never);
    expect(report.status).toBe('completed');
    expect(journal.text).toContain('330 metres');
    const [first, second, third, ...later] = await limits();
    expect([first, second, third]).toEqual([1_400, 2_800, 5_600]);
    expect(Math.min(...later)).toBeGreaterThanOrEqual(4_000);
    expect(grown(journal)).toBe(2);
  });

  it('gives a model that does not reason no more room than its answers need', async () => {
    await think(0);
    const journal = new MemoryJournal();
    await research(task(), journal, worker(), never);
    expect(Math.max(...(await limits()))).toBe(4_000);
    expect(grown(journal)).toBe(0);
  });

  it('never asks for more than the context of the model leaves', async () => {
    await think(50_000);
    const journal = new MemoryJournal();
    const run = research(task(), journal, worker(16_384), never);
    expect((await run.catch(() => undefined))?.status).not.toBe('completed');
    const asked = await limits();
    expect(Math.max(...asked)).toBeLessThan(16_384);
    expect(asked.length).toBeLessThan(12);
  });

  it('does no settled step again where a worker takes over that has learnt something else', async () => {
    const undisturbed = new MemoryJournal();
    await research(task(), undisturbed, worker(), never);
    const { boundaries } = undisturbed;
    for (let at = 3; at < boundaries; at += Math.ceil(boundaries / 8)) {
      const journal = new MemoryJournal();
      journal.crashAt = at;
      await expect(
        research(task(), journal, worker(), never),
      ).rejects.toBeInstanceOf(Crash);
      await new Promise((resolve) => setImmediate(resolve));
      const settled = new Set(journal.entries.keys());
      const before = journal.begun.length;
      const end = await research(task(), journal.takeOver(), worker(), never);
      expect(end.status).toBe('completed');
      expect(journal.text).toBe(undisturbed.text);
      const again = journal.begun.slice(before);
      expect(again.filter((key) => settled.has(key))).toEqual([]);
    }
  });
});

describe(estimatedUsage.name, () => {
  it('counts a run without any reported usage as one with it', async () => {
    const sums = await Promise.all(
      [false, true].map(async (reported) => {
        const world = new AgentWorld();
        const { complete } = world.ports;
        const journal = new MemoryJournal();
        const ports = {
          ...world.ports,
          complete: {
            complete: async (
              request: Parameters<typeof complete.complete>[0],
            ) => {
              const reply = await complete.complete(request);
              return reported ? reply : { ...reply, usage: null };
            },
          },
        };
        await research(task(), journal, ports, never);
        return journal.spent;
      }),
    );
    const [estimated, reported] = sums;
    expect(reported.input_tokens).toBeGreaterThan(1_000);
    expect(estimated.input_tokens / reported.input_tokens).toBeCloseTo(1, 1);
    expect(estimated.output_tokens / reported.output_tokens).toBeCloseTo(1, 1);
  });
});
