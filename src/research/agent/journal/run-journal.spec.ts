import { Invocations } from '../../../../test/support/invocations';
import { TestRedis } from '../../../../test/support/redis/redis';
import { RequestFormRefused } from '../../../llm/single-attempt/completion.types';
import {
  connectionError,
  replyError,
  UpstreamError,
} from '../../../llm/upstream/upstream-error';
import { PAUSES } from '../../../platform/pause';
import { type Claim, RunStore } from '../../../runs/store/run.store';
import { RunLost, RunWriter } from '../../../runs/worker/run-writer';
import { JournalMismatch, type Journal, StepSkipped } from './journal';
import { JournalStore } from './journal.store';
import { RunJournal } from './run-journal';

/** The process is gone: nothing more of it happens. */
class Crash extends Error {}

/** What happens to the write of this number: it is not made, its worker is gone after it, or its reply is lost. */
type Fault = { at: number; kind: 'before' | 'after' | 'lost' };

class FaultyStore extends RunStore {
  writes = 0;
  fault?: Fault;

  override async append(...args: Parameters<RunStore['append']>) {
    this.writes += 1;
    const kind = this.writes === this.fault?.at ? this.fault.kind : undefined;
    if (kind === 'before') throw new Crash();
    const seq = await super.append(...args);
    if (kind === 'after') throw new Crash();
    if (kind === 'lost') throw new Error('Connection is closed.');
    return seq;
  }
}

describe(RunJournal.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let journals: JournalStore;
  let count = 0;

  beforeAll(async () => {
    PAUSES.scale = 0.001;
    redis = await TestRedis.start();
    room = new Invocations(redis);
    journals = new JournalStore(room.connections);
  });
  afterAll(async () => {
    await room.close();
    await redis.stop();
  });

  interface Opened {
    journal: RunJournal;
    claim: Claim;
    stop: AbortController;
  }

  const fresh = async (): Promise<string> => {
    const id = `inv_${(count += 1)}`;
    await room.store.create(id, { tool: 'it', args: '{}', schema: '2' });
    return id;
  };
  /** As the next worker, after the one before has disappeared. */
  const open = async (
    id: string,
    store: RunStore = room.store,
  ): Promise<Opened> => {
    const { fence } = await room.reader.readFields(id);
    await room.store.release(id, fence!);
    const outcome = await room.store.claim(id, 'worker', 60_000);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    const { claim } = outcome;
    const stop = new AbortController();
    const { signal } = stop;
    const journal = new RunJournal(
      new RunWriter(store, claim, signal),
      await journals.read(id),
      { signal, effects: signal, crashes: claim.crashes },
    );
    return { journal, claim, stop };
  };
  const refused = (retryAfterMs?: number) =>
    new UpstreamError('upstream_overloaded', 'none', { retryAfterMs });
  const value =
    <T>(of: T) =>
    async () => ({ value: of });
  const field = async (id: string, name: string) =>
    (await room.reader.readFields(id))[name];

  it('returns a settled result without its effect, the same JSON as the first time', async () => {
    const id = await fresh();
    const made = { at: new Date(0), none: undefined, list: [1] };
    const json = { at: '1970-01-01T00:00:00.000Z', list: [1] };
    const first = await open(id);
    expect(await first.journal.step('a', 1, 'model', value(made))).toEqual(
      json,
    );
    const { journal } = await open(id);
    const effect = jest.fn(value(made));
    expect(await journal.step('a', 1, 'model', effect)).toEqual(json);
    expect(effect).not.toHaveBeenCalled();
  });

  it('writes a result together with its text, its event and its fields', async () => {
    const id = await fresh();
    const { journal } = await open(id);
    await journal.step('a', 1, 'model', async () => ({
      value: 1,
      text: 'x',
      fields: { sources: '[]' },
    }));
    expect(await room.reader.readText(id)).toBe('x');
    const [event] = await room.reader.readLog(id, 2, 10);
    expect(event).toMatchObject({ type: 'output_text', data: '{"text":"x"}' });
    expect(await field(id, 'sources')).toBe('[]');
  });

  describe('the cost on record', () => {
    const paid = (cost_usd: number) => async () => ({
      value: 1,
      spent: { input_tokens: 1, output_tokens: 1, cost_usd },
      costSource: 'prices' as const,
    });
    const cost = async (id: string) => {
      const { spent, reserved } = JSON.parse((await field(id, 'cost')) || '{}');
      return [spent, reserved];
    };

    it('holds what calls under way may cost, until they are settled', async () => {
      const id = await fresh();
      const { journal } = await open(id);
      const [first, second] = [
        Promise.withResolvers(),
        Promise.withResolvers(),
      ];
      const ends: Promise<unknown>[] = [];
      const call = (key: string, until: Promise<unknown>, usd: number) => {
        const begun = Promise.withResolvers();
        const effect = async () => {
          begun.resolve(undefined);
          await until;
          return paid(0.1)();
        };
        ends.push(journal.step(key, 1, 'model', effect, { usd, model: 'm' }));
        return begun.promise;
      };
      await call('a', first.promise, 0.4);
      expect(await cost(id)).toEqual([0, 0.4]);
      await call('b', second.promise, 0.5);
      expect(await cost(id)).toEqual([0, 0.9]);
      first.resolve(undefined);
      await ends[0];
      expect(await cost(id)).toEqual([0.1, 0.5]);
      second.resolve(undefined);
      await ends[1];
      expect(await cost(id)).toEqual([0.2, 0]);
    });

    it('reserves once for all attempts, and nothing after the last one', async () => {
      const id = await fresh();
      const { journal } = await open(id);
      const seen: unknown[] = [];
      journal.limitWaits(() => (seen.length < 5 ? Infinity : 0));
      const failing = async () => {
        seen.push(await cost(id));
        throw refused(1);
      };
      await expect(
        journal.step('a', 1, 'model', failing, { usd: 0.3, model: 'm' }),
      ).rejects.toThrow(StepSkipped);
      expect(new Set(seen.map(String))).toEqual(new Set(['0,0.3']));
      expect(seen.length).toBeGreaterThan(1);
      expect(await cost(id)).toEqual([0, 0]);
    });

    it('has no reservation of a worker that has disappeared', async () => {
      const id = await fresh();
      const first = await open(id);
      await first.journal.step('a', 1, 'model', paid(0.1), {
        usd: 0.2,
        model: 'm',
      });
      const lost = first.journal.step(
        'b',
        1,
        'model',
        () => new Promise<never>(() => {}),
        { usd: 0.7, model: 'm' },
      );
      lost.catch(() => undefined);
      const { journal } = await open(id);
      first.stop.abort('lost');
      await journal.decide('c', () => 1);
      expect(await cost(id)).toEqual([0.1, 0]);
    });

    it('has the estimate of the run beside it, also for the next worker', async () => {
      const id = await fresh();
      const { journal } = await open(id);
      await journal.step('a', 1, 'local', async () => ({
        value: null,
        estimatedUsd: 0.25,
      }));
      const next = await open(id);
      await next.journal.step('b', 1, 'model', paid(0.1), {
        usd: 0.2,
        model: 'm',
      });
      expect(JSON.parse((await field(id, 'cost'))!)).toEqual({
        currency: 'USD',
        estimated: 0.25,
        reserved: 0,
        spent: 0.1,
        source: 'prices',
      });
    });

    it('is unknown without a price', async () => {
      const id = await fresh();
      const { journal } = await open(id);
      await journal.step('a', 1, 'model', async () => ({
        value: 1,
        spent: { input_tokens: 1, output_tokens: 1 },
      }));
      expect(await field(id, 'cost')).toBe('');
    });
  });

  it('makes a decision once', async () => {
    const id = await fresh();
    expect(await (await open(id)).journal.decide('now', () => 1)).toBe(1);
    expect(await (await open(id)).journal.decide('now', () => 2)).toBe(1);
  });

  it('ends the run loudly when a step has another input than on record', async () => {
    const id = await fresh();
    await (await open(id)).journal.step('a', { x: 1, y: 2 }, 'local', value(1));
    const { journal } = await open(id);
    const effect = jest.fn(value(1));
    await expect(journal.step('a', { x: 2 }, 'local', effect)).rejects.toThrow(
      JournalMismatch,
    );
    await expect(journal.idle()).rejects.toThrow(JournalMismatch);
    await expect(journal.step('b', 1, 'local', effect)).rejects.toThrow(
      JournalMismatch,
    );
    expect(effect).not.toHaveBeenCalled();
    const again = (await open(id)).journal;
    expect(await again.step('a', { y: 2, x: 1 }, 'local', effect)).toBe(1);
  });

  it('refuses a key that is used twice in one execution', async () => {
    const { journal } = await open(await fresh());
    await journal.step('a', 1, 'local', value(1));
    await expect(journal.step('a', 1, 'local', value(1))).rejects.toThrow(
      'used twice',
    );
  });

  it.each([
    [
      'by the gateway',
      ['gateway', 'gateway'],
      { spent: 0.3, source: 'gateway' },
    ],
    [
      'in part by the prices',
      ['gateway', 'prices'],
      { spent: 0.3, source: 'prices' },
    ],
    ['not for every call', ['gateway', undefined], null],
    ['for none', [undefined, undefined], null],
  ] as const)(
    'reports what a run costs where that is known: %s',
    async (_, sources, cost) => {
      const id = await fresh();
      for (const _worker of [1, 2]) {
        const { journal } = await open(id);
        for (const [at, costSource] of sources.entries())
          await journal.step(`m${at}`, at, 'model', async () => ({
            value: at,
            spent: {
              input_tokens: 1,
              output_tokens: 1,
              ...(costSource && { cost_usd: (at + 1) / 10 }),
            },
            costSource,
          }));
        await journal.step('s', 0, 'search', value(0));
        const record = (await room.reader.read(id))!;
        if (cost) expect(record.cost).toMatchObject(cost);
        else expect(record.cost).toBeNull();
        expect(JSON.parse(journal.fields.cost || 'null')).toEqual(record.cost);
      }
    },
  );

  it('repeats a model call at once in another form, up to six times, besides its other repeats', async () => {
    const id = await fresh();
    const { journal } = await open(id);
    const form = new RequestFormRefused(refused(60_000));
    const faults = [form, refused(), form, form, refused(), form];
    const effect = jest.fn(async (_: AbortSignal, attempt: number) => {
      if (attempt <= faults.length) throw faults[attempt - 1];
      return { value: attempt };
    });
    expect(await journal.step('a', 1, 'model', effect)).toBe(7);
    const endless = jest.fn(() => Promise.reject(form));
    await expect(journal.step('b', 1, 'model', endless)).rejects.toThrow(
      StepSkipped,
    );
    expect(endless).toHaveBeenCalledTimes(7);
  });

  it('repeats a model call twice after definite failures, with each attempt on record', async () => {
    const id = await fresh();
    const { journal } = await open(id);
    const seen: number[] = [];
    const result = journal.step('a', 1, 'model', async (_, attempt) => {
      seen.push(attempt);
      if (attempt < 3) throw refused(1);
      return { value: attempt };
    });
    expect(await result).toBe(3);
    expect(seen).toEqual([1, 2, 3]);
    expect(journal.counts).toEqual({ settled: 1, repeated: 2, skipped: 0 });
    expect(journal.ambiguous).toEqual([]);
    expect((await journals.read(id)).get('a')?.attempts.size).toBe(3);
  });

  describe('while its endpoint refuses a model call for now', () => {
    const loading = JSON.stringify({
      error: { code: 503, message: 'Loading', type: 'unavailable_error' },
    });
    const faultOf = (code: string) =>
      connectionError(Object.assign(new Error(), { code }));
    const REFUSALS: [string, () => UpstreamError][] = [
      ['limits requests', () => replyError(429, {}, '{}')],
      ['asks to wait', () => replyError(429, { 'retry-after': '5' }, '{}')],
      ['loads its model', () => replyError(503, {}, loading)],
      ['refuses connections', () => faultOf('ECONNREFUSED')],
      ['has no address', () => faultOf('ENOTFOUND')],
    ];
    const waits = async (id: string) =>
      (await room.reader.readLog(id, 0, 100)).filter(({ data }) =>
        data.includes('"kind":"waiting"'),
      );

    it.each(REFUSALS)(
      'as one does that %s, the step waits, says so once a minute, and adds no entries',
      async (_, refusal) => {
        const id = await fresh();
        const { journal } = await open(id);
        let asked = 0;
        const effect = async () => {
          asked += 1;
          if (asked <= 40) throw refusal();
          return { value: asked };
        };
        expect(await journal.step('a', 1, 'model', effect)).toBe(41);
        const { attempts } = (await journals.read(id)).get('a')!;
        expect(attempts.size).toBeLessThanOrEqual(4);
        expect(journal.ambiguous).toEqual([]);
        const seen = await waits(id);
        expect(seen).toHaveLength(1);
        expect(seen[0].data).toMatch(/The model endpoint [^;]+; the next try/);
        const { last_step } = JSON.parse((await field(id, 'progress'))!);
        expect(last_step).toMatch(/^The model endpoint/);
      },
    );

    it('every worker that takes it over waits on', async () => {
      const id = await fresh();
      let asked = 0;
      for (let worker = 1; worker <= 6; worker += 1) {
        const { journal, stop } = await open(id);
        journal.limitWaits(() => {
          if (asked === worker * 5) stop.abort(new Crash());
          return Infinity;
        });
        const step = journal.step('a', 1, 'model', async () => {
          asked += 1;
          throw refused();
        });
        await expect(step).rejects.toThrow(Crash);
      }
      const { journal } = await open(id);
      expect(await journal.step('a', 1, 'model', value(1))).toBe(1);
      expect((await journals.read(id)).get('a')!.attempts.size).toBeLessThan(
        11,
      );
    });

    it('an attempt that was lost in between is listed, and counts', async () => {
      const id = await fresh();
      for (const _worker of [1, 2]) {
        let asked = 0;
        const { journal } = await open(id);
        const step = journal.step('a', 1, 'model', async () => {
          asked += 1;
          throw asked <= 8 ? refused() : new Crash();
        });
        await expect(step).rejects.toThrow(Crash);
      }
      const { journal } = await open(id);
      expect(journal.ambiguous).toHaveLength(2);
      await expect(journal.step('a', 1, 'model', value(1))).rejects.toThrow(
        StepSkipped,
      );
    });

    it('a step ends with the cause once its run has less time than the endpoint asks for, and ends so in a replay', async () => {
      const id = await fresh();
      const effect = jest.fn(() => Promise.reject(refused(60_000)));
      const end = async () => {
        const { journal } = await open(id);
        journal.limitWaits(() => 59_000);
        return journal.step('a', 1, 'model', effect);
      };
      const skipped = new StepSkipped('a', 'upstream_overloaded');
      await expect(end()).rejects.toEqual(skipped);
      await expect(end()).rejects.toEqual(skipped);
      expect(effect).toHaveBeenCalledTimes(1);
    });
  });

  it.each([
    ['fails', () => replyError(502, {}, ''), 4],
    ['breaks off', () => connectionError(new Error('reset')), 4],
    ['says nothing', () => new UpstreamError('upstream_timeout', 'unknown'), 2],
  ])(
    'attempts a model call a few times where it is unknown what was begun: it %s',
    async (_, failure, times) => {
      const { journal } = await open(await fresh());
      const effect = jest.fn(async (_signal: AbortSignal, attempt: number) => {
        if (attempt < times) throw failure();
        return { value: attempt };
      });
      expect(await journal.step('a', 1, 'model', effect)).toBe(times);
      expect(journal.ambiguous).toHaveLength(times - 1);
      const never = jest.fn(() => Promise.reject(failure()));
      await expect(journal.step('b', 1, 'model', never)).rejects.toThrow(
        StepSkipped,
      );
      expect(never).toHaveBeenCalledTimes(times);
    },
  );

  it.each([
    ['of unknown effect', 2, new UpstreamError('upstream_timeout', 'unknown')],
    ['that would fail again', 1, new UpstreamError('content_policy', 'none')],
    [
      'of a page that is not there',
      1,
      Object.assign(new Error(), { fault: 'robots' }),
    ],
  ])(
    'skips a step after a failure %s, and skips the same in a replay',
    async (_, attempts, error) => {
      const id = await fresh();
      const { journal } = await open(id);
      const effect = jest.fn(() => Promise.reject(error));
      const skipped = (of: Journal) =>
        of.step('a', 1, 'model', effect).catch((caught: unknown) => caught);
      const first = (await skipped(journal)) as StepSkipped;
      expect(first).toBeInstanceOf(StepSkipped);
      expect(effect).toHaveBeenCalledTimes(attempts);
      expect(journal.counts.skipped).toBe(1);
      const replayed = (await open(id)).journal;
      expect(await skipped(replayed)).toEqual(first);
      expect(effect).toHaveBeenCalledTimes(attempts);
      expect(replayed.counts).toEqual(journal.counts);
    },
  );

  it('attempts a model call once more after its worker has disappeared, then skips it, and lists both', async () => {
    const id = await fresh();
    const crash = () => Promise.reject(new Crash());
    for (const _ of [1, 2]) {
      const { journal } = await open(id);
      await expect(journal.step('a', 1, 'model', crash)).rejects.toThrow(Crash);
    }
    const { journal } = await open(id);
    await expect(journal.step('a', 1, 'model', crash)).rejects.toThrow(
      new StepSkipped('a', 'interrupted'),
    );
    expect(journal.ambiguous).toEqual(['a#1', 'a#2']);
  });

  it('counts no attempt whose effect a stop has prevented, neither as ambiguous nor against the repeats', async () => {
    const id = await fresh();
    const effect = jest.fn(value(1));
    const reason = new Error('shutdown');
    for (let n = 1; n <= 4; n += 1) {
      const { journal, stop } = await open(id);
      const step = journal.step('a', 1, 'model', effect);
      // The intent is about to be written.
      stop.abort(reason);
      await expect(step).rejects.toBe(reason);
    }
    expect(effect).not.toHaveBeenCalled();
    const { journal } = await open(id);
    expect(journal.ambiguous).toEqual([]);
    expect(await journal.step('a', 1, 'model', effect)).toBe(1);
  });

  it('attempts a page three times more', async () => {
    const id = await fresh();
    const crash = jest.fn(() => Promise.reject(new Crash()));
    for (let n = 0; n < 5; n += 1) {
      const { journal } = await open(id);
      await expect(journal.step('a', 1, 'page', crash)).rejects.toThrow();
    }
    expect(crash).toHaveBeenCalledTimes(4);
  });

  it('ends the effects under way, and the pause between attempts, with the run', async () => {
    const { journal, stop } = await open(await fresh());
    const begun = Promise.withResolvers<void>();
    const deaf = journal.step('a', 1, 'page', () => {
      begun.resolve();
      return new Promise<never>(() => undefined);
    });
    const failed = Promise.withResolvers<void>();
    const paused = journal.step('b', 1, 'model', () => {
      failed.resolve();
      return Promise.reject(refused(30_000));
    });
    await Promise.all([begun.promise, failed.promise]);
    stop.abort(new Crash());
    await expect(deaf).rejects.toThrow(Crash);
    await expect(paused).rejects.toThrow(Crash);
    await expect(journal.idle()).rejects.toThrow(Crash);
    await expect(journal.step('c', 1, 'local', value(1))).rejects.toThrow();
  });

  it('writes nothing for a worker that has lost the run', async () => {
    const id = await fresh();
    const { journal } = await open(id);
    await open(id);
    await expect(journal.step('a', 1, 'model', value(1))).rejects.toThrow(
      RunLost,
    );
    expect((await journals.read(id)).size).toBe(0);
  });

  it('resets the count of crashes with every settled step, and with no attempt', async () => {
    const id = await fresh();
    await redis.call('HSET', `sonde:{${id}}:record`, 'crashes', '3');
    const crash = () => Promise.reject(new Crash());
    const { journal } = await open(id);
    await journal.step('a', 1, 'model', crash).catch(() => undefined);
    expect(await field(id, 'crashes')).toBe('3');
    await (await open(id)).journal.step('a', 1, 'model', value(1));
    expect(await field(id, 'crashes')).toBe('0');
  });

  it('sums what this execution has got to, whatever else is on record', async () => {
    const id = await fresh();
    const paid = (cost_usd: number) => async () => ({
      value: 1,
      spent: { input_tokens: 2, cost_usd, searches: 1 },
    });
    const { journal } = await open(id);
    await journal.step('a', 1, 'model', paid(0.1));
    await journal.step('b', 1, 'model', paid(0.2));
    expect(journal.spent).toMatchObject({ cost_usd: 0.3, input_tokens: 4 });
    const again = (await open(id)).journal;
    expect(again.spent).toMatchObject({ cost_usd: 0, searches: 0 });
    expect(again.spentInTotal).toMatchObject({ cost_usd: 0.3, searches: 2 });
    await again.step('a', 1, 'model', paid(9));
    expect(again.spent).toMatchObject({ cost_usd: 0.1, searches: 1 });
  });

  describe('whose worker disappears', () => {
    const KEYS = [
      'search:0',
      'search:1',
      'read:0',
      'note:0',
      'write:0',
      'write:1',
    ];

    /** A run with steps at once, a skip, decisions and text. `done`: the effects that happened. */
    const work = async (journal: Journal, done: string[]): Promise<unknown> => {
      const effect = (key: string, text?: string) => async () => {
        done.push(key);
        await Promise.resolve();
        const spent = { cost_usd: 0.01, input_tokens: 10 };
        return { value: `of ${key}`, spent, ...(text && { text }) };
      };
      const limit = await journal.decide('limit', () =>
        Math.max(2, done.length),
      );
      const found = await Promise.all(
        KEYS.slice(0, limit).map((key) =>
          journal.step(key, { key }, 'search', effect(key)),
        ),
      );
      const [page, missing] = await Promise.allSettled([
        journal.step('read:0', found, 'page', effect('read:0')),
        journal.step('read:1', found, 'page', () =>
          Promise.reject(Object.assign(new Error(), { fault: 'robots' })),
        ),
      ]);
      const gone =
        missing.status === 'rejected' && missing.reason instanceof StepSkipped;
      if (!gone && missing.status === 'rejected') throw missing.reason;
      if (page.status === 'rejected') throw page.reason;
      const note = await journal.step(
        'note:0',
        page.value,
        'model',
        effect('note:0'),
      );
      const parts = [];
      for (const key of ['write:0', 'write:1'])
        parts.push(
          await journal.step(key, note, 'model', effect(key, `${key}. `)),
        );
      return { limit, found, page, gone, note, parts, spent: journal.spent };
    };

    interface Run {
      result: unknown;
      text: string;
      log: unknown[];
      done: string[];
      ambiguous: readonly string[];
      writes: number;
    }

    /** Executes until there is an end: `fault` befalls the first worker, and `effect` dies in its first execution. */
    const execute = async (fault?: Fault, dies?: string): Promise<Run> => {
      const id = await fresh();
      const done: string[] = [];
      const store = new FaultyStore(room.connections, room.config);
      store.fault = fault;
      if (dies)
        jest.spyOn(done, 'push').mockImplementation((key) => {
          done[done.length] = key;
          if (key === dies && done.filter((one) => one === key).length === 1)
            throw new Crash();
          return done.length;
        });
      for (;;) {
        const { journal } = await open(id, store);
        try {
          const result = await work(journal, done);
          await journal.idle();
          return {
            result,
            text: await room.reader.readText(id),
            log: (await room.reader.readLog(id, 2, 100)).map(
              ({ data }) => data,
            ),
            done,
            ambiguous: journal.ambiguous,
            writes: store.writes,
          };
        } catch (error) {
          if (!(error instanceof Crash)) throw error;
          await journal.idle().catch(() => undefined);
        }
      }
    };
    const times = (done: string[], key: string) =>
      done.filter((one) => one === key).length;

    it('before or after any write, or loses the reply to it, gives the same report and does every settled step once', async () => {
      const calm = await execute();
      expect(calm.done.toSorted()).toEqual(KEYS.toSorted());
      expect(calm.writes).toBeGreaterThan(10);
      const { result, text, log } = calm;
      for (let at = 1; at <= calm.writes; at += 1)
        for (const kind of ['before', 'after'] as const) {
          const run = await execute({ at, kind });
          expect({ at, kind, ...run }).toMatchObject({
            at,
            kind,
            result,
            text,
            log,
          });
          for (const key of KEYS) {
            const listed = run.ambiguous.filter((one) =>
              one.startsWith(`${key}#`),
            );
            expect(times(run.done, key)).toBeLessThanOrEqual(1 + listed.length);
          }
        }
      const lost = Array.from({ length: calm.writes }, (_, n) =>
        execute({ at: n + 1, kind: 'lost' }),
      );
      for (const run of await Promise.all(lost)) {
        expect(run).toMatchObject({ result, text, log, ambiguous: [] });
        expect(run.done.toSorted()).toEqual(KEYS.toSorted());
      }
    });

    it.each(KEYS)(
      'in the effect of %s repeats that one alone, and lists it',
      async (key) => {
        const calm = await execute();
        const { result, text, log, done, ambiguous } = await execute(
          undefined,
          key,
        );
        expect({ result, text, log }).toEqual({
          result: calm.result,
          text: calm.text,
          log: calm.log,
        });
        expect(times(done, key)).toBe(2);
        expect(ambiguous).toContain(`${key}#1`);
      },
    );
  });
});
