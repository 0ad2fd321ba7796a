import { Semaphore } from './semaphore';

describe(Semaphore.name, () => {
  const forever = new AbortController().signal;
  let leave: (() => void)[];
  let begun: string[];

  beforeEach(() => {
    leave = [];
    begun = [];
  });

  const visit = (gate: Semaphore, name: string, signal = forever) =>
    gate.pass(async () => {
      begun.push(name);
      await new Promise<void>((resolve) => leave.push(resolve));
      if (name === 'bad') throw new Error('failed inside');
      return name;
    }, signal);
  /** Lets the first of those inside go, and whoever follows in. */
  const next = async (visits: Promise<unknown>): Promise<void> => {
    leave.shift()!();
    await visits.catch(() => undefined);
  };

  it('lets only so many in, and the others in the order in which they came', async () => {
    const gate = new Semaphore(2);
    const [a, bad] = ['a', 'bad'].map((name) => visit(gate, name));
    const [c, d] = ['c', 'd'].map((name) => visit(gate, name));
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

  it('lets go of whoever gives up waiting, without losing the place', async () => {
    const gate = new Semaphore(1);
    const a = visit(gate, 'a');
    const impatient = new AbortController();
    const b = visit(gate, 'b', impatient.signal);
    const c = visit(gate, 'c');
    impatient.abort(new Error('given up'));
    await expect(b).rejects.toThrow('given up');
    await next(a);
    expect(begun).toEqual(['a', 'c']);
    await next(c);
    expect(await c).toBe('c');
  });
});
