import type { Claim } from '../store/run.store';
import { ActiveRun } from './active-run';
import { TimerWheel } from './timer-wheel';

const FIELDS = {
  tool: 'it',
  mode: 'background',
  args: '{}',
  tokens: '',
  seq: '2',
};
const claim: Claim = {
  id: 'inv_1',
  fence: '1',
  fields: FIELDS,
  text: '',
  remainingMs: 60_000,
  ageMs: 0,
  followedMs: 0,
  crashes: 0,
  crashesInAll: 0,
  crashesAlone: 0,
  tookOver: false,
  begins: true,
};
const HOUR = 3_600_000;

describe(ActiveRun.name, () => {
  const held: ActiveRun[] = [];
  const hold = (of: Partial<Claim> = {}, crowded = false): ActiveRun => {
    const run = new ActiveRun({ ...claim, ...of }, new TimerWheel(), crowded);
    held.push(run);
    return run;
  };

  afterEach(() => held.splice(0).forEach((run) => run.free()));

  it('rests until its time is over', async () => {
    expect(await hold().rest(1)).toBe('over');
  });

  it('is woken by news', async () => {
    const run = hold();
    const rest = run.rest(HOUR);
    run.nudge();
    expect(await rest).toBe('news');
  });

  it('does not forget news that came between two rests', async () => {
    const run = hold();
    await run.rest(1);
    run.nudge();
    expect(await run.rest(HOUR)).toBe('news');
  });

  it('gives what comes first while it rests, or its failure', async () => {
    const run = hold();
    expect(await run.rest(HOUR, Promise.resolve(5))).toBe(5);
    const failure = Promise.reject(new Error('broken'));
    await expect(run.rest(HOUR, failure)).rejects.toThrow('broken');
  });

  it('does not rest once it is to stop', async () => {
    const run = hold();
    const rest = run.rest(HOUR);
    run.stop('shutdown');
    expect(await rest).toBe('news');
    expect(run.signal.reason).toBe('shutdown');
  });

  it('stops by itself at the end of its time', async () => {
    const run = hold({ remainingMs: -5 });
    await run.rest(HOUR);
    expect(run.signal.reason).toBe('deadline');
  });

  it('is stopped from the start if that was asked for before', () => {
    const { signal } = hold({ fields: { ...FIELDS, cancel: '1' } });
    expect(signal.reason).toBe('cancel');
  });

  it.each([
    ['a caller that has just submitted', {}, true],
    [
      'a mode that is there to be read',
      { fields: { ...FIELDS, mode: 'stream' } },
      true,
    ],
  ])('is attended by %s', (_, of, attended) => {
    expect(hold(of).attended).toBe(attended);
  });

  it('is attended by nobody but its readers where there is no room', () => {
    const run = hold({}, true);
    expect(run.attended).toBe(false);
    run.attend(60_000);
    expect(run.attended).toBe(true);
    expect(hold({ followedMs: 60_000 }, true).attended).toBe(true);
  });
});
