import { setImmediate as turn } from 'node:timers/promises';
import { Semaphore } from './semaphore';

describe(Semaphore.name, () => {
  const forever = new AbortController().signal;
  let finish: (() => void)[];
  let begun: string[];

  beforeEach(() => {
    finish = [];
    begun = [];
  });

  const start = (semaphore: Semaphore, name: string, signal = forever) =>
    semaphore.use(signal, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => finish.push(resolve));
      if (name === 'bad') throw new Error('failed inside');
      return name;
    });
  /** Ends the first active action and waits until its slot has passed on. */
  const next = async (action: Promise<unknown>): Promise<void> => {
    finish.shift()!();
    await action.catch(() => undefined);
    await turn();
  };

  it('runs as many actions as its limit, and the others in the order in which they came', async () => {
    const semaphore = new Semaphore(2);
    const [a, bad] = ['a', 'bad'].map((name) => start(semaphore, name));
    const [c, d] = ['c', 'd'].map((name) => start(semaphore, name));
    await turn();
    expect(begun).toEqual(['a', 'bad']);
    await next(a);
    expect(begun).toEqual(['a', 'bad', 'c']);
    await next(bad);
    expect(begun).toEqual(['a', 'bad', 'c', 'd']);
    await expect(bad).rejects.toThrow('failed inside');
    await next(c);
    await next(d);
    expect(await Promise.all([a, c, d])).toEqual(['a', 'c', 'd']);
  });

  it('passes the slot to the next action when a waiting one is aborted', async () => {
    const semaphore = new Semaphore(1);
    const a = start(semaphore, 'a');
    const aborted = new AbortController();
    const b = start(semaphore, 'b', aborted.signal);
    const c = start(semaphore, 'c');
    await turn();
    aborted.abort(new Error('aborted'));
    await expect(b).rejects.toThrow('aborted');
    await next(a);
    expect(begun).toEqual(['a', 'c']);
    await next(c);
    expect(await c).toBe('c');
  });
});
