import { ownTurn } from './own-turn';

describe(ownTurn, () => {
  it('lets one waiter go on in each iteration of the event loop', async () => {
    const seen: string[] = [];
    let isOver = false;
    const tick = (): void => {
      seen.push('iteration');
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    const run = async (): Promise<void> => {
      for (let piece = 0; piece < 3; piece += 1) {
        await ownTurn();
        seen.push('piece');
      }
    };
    await Promise.all(Array.from({ length: 40 }, run));
    isOver = true;
    const together = seen.filter(
      (what, at) => what === 'piece' && seen[at + 1] === 'piece',
    );
    expect(seen.filter((what) => what === 'piece')).toHaveLength(120);
    expect(together).toEqual([]);
  });
});
