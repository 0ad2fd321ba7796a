import { EventLogTail } from './event-log-tail';
import type { LogEvent } from '../record/run-event';

const event = (seq: number, type: LogEvent['type']): LogEvent => ({
  seq,
  type,
  status: type === 'completed' ? 'completed' : 'running',
  data: '{}',
});

describe(EventLogTail.name, () => {
  let log: LogEvent[];
  let tail: EventLogTail;

  beforeEach(() => {
    log = [event(1, 'status'), event(2, 'progress')];
    tail = new EventLogTail(
      'inv_1',
      (seq) => Promise.resolve(log.filter((of) => of.seq > seq)),
      () => Promise.resolve(log.at(-1)),
    );
    log.forEach((of) => tail.push(of));
  });

  it('has what it saw in the log before it was told', async () => {
    expect(await tail.after(1)).toEqual([log[1]]);
    log.push(event(3, 'progress'), event(4, 'completed'));
    await tail.refresh();
    expect(tail.ended).toBe(true);
    expect(await tail.after(2)).toEqual(log.slice(2));
  });

  it('gives nothing twice that it is told after it has seen it', async () => {
    log.push(event(3, 'progress'));
    await tail.refresh();
    tail.push(log[2]);
    expect(await tail.after(1)).toEqual(log.slice(1));
    expect(await tail.after(3)).toEqual([]);
  });
});
