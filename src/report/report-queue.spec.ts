import { AppError } from '../platform/errors';
import { ReportQueue } from './report-queue';

describe('the queue of reports', () => {
  const never = new AbortController().signal;

  it('gives one turn at a time, in order, and passes over who has left', async () => {
    const queue = new ReportQueue();
    const done: string[] = [];
    let active = 0;
    const use = (caller: string, signal = never) =>
      queue.use(caller, signal, async () => {
        active += 1;
        expect(active).toBe(1);
        await Promise.resolve();
        done.push(caller);
        active -= 1;
        if (caller === 'b') throw new Error('failed');
      });
    const leaving = new AbortController();
    const all = [
      use('a'),
      use('b'),
      use('gone', leaving.signal),
      use('c'),
      use('d'),
    ];
    leaving.abort(new Error('left'));
    const ended = await Promise.allSettled(all);
    expect(ended.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    await use('again');
    expect(done.at(-1)).toBe('again');
  });

  it('refuses more than four of one caller and sixteen of all, with a time to try again', async () => {
    const queue = new ReportQueue();
    let end = (): void => undefined;
    const first = queue.use(
      'a',
      never,
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const waiting: Promise<unknown>[] = [];
    const refused: string[] = [];
    const offer = (caller: string): void => {
      const turn = queue.use(caller, never, () => Promise.resolve());
      waiting.push(
        turn.catch((error: AppError) => {
          expect(error).toMatchObject({
            code: 'server_busy',
            retryAfterSeconds: 5,
          });
          refused.push(caller);
        }),
      );
    };
    for (let n = 0; n < 5; n += 1) offer('a');
    for (const caller of 'bcd') for (let n = 0; n < 4; n += 1) offer(caller);
    offer('e');
    end();
    await Promise.all([first, ...waiting]);
    expect(refused).toEqual(['a', 'e']);
  });
});
