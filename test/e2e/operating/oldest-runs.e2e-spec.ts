import type { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const PLACE = /Metrics are at (http:[^\s"]+)/;
const HOUR = 3_600_000;

describe('the metrics of who works, and of the oldest runs', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      researchMs: HOUR,
      env: { RELAY_METRICS_PORT: '0' },
    });
  });
  afterAll(() => stand.stop());

  /** Of a survey that begins now. */
  const surveyed = async (
    name: string,
    label: string,
    service: Service = stand.apis[0],
  ): Promise<number | undefined> => {
    const place = await service.waitForOutput(PLACE);
    await stand.redis.call('DEL', 'sonde:surveying');
    const text = await (await fetch(place)).text();
    const series = new RegExp(`^${name}\\{\\w+="${label}"\\} (.+)$`, 'm');
    const [, value] = series.exec(text) ?? [];
    return value === undefined ? undefined : Number(value);
  };
  const workers = (queue: string) => surveyed('sonde_workers', queue);
  const oldest = (state: string) => surveyed('sonde_oldest_run_seconds', state);
  const set = (id: string, field: string, value: number | string) =>
    stand.redis.call('HSET', `sonde:{${id}}:record`, field, String(value));

  it('count no run that is not due yet, nor one that waits for a person', async () => {
    const runs = await Promise.all(
      [1, 2, 3].map(async (hours) => {
        const run = await stand.client().submit();
        await set(run.id, 'created_ms', Date.now() - hours * HOUR);
        return run;
      }),
    );
    const [waits, later, decides] = runs;
    await set(later.id, 'due_ms', Date.now() + HOUR);
    await set(decides.id, 'status', 'requires_action');
    await until('only one run to wait', async (saw) => {
      const seconds = saw((await oldest('waiting')) ?? 0);
      return seconds >= 3_600 && seconds < 7_200;
    });
    await waits.cancel();
    await until(
      'none to wait',
      async (saw) => saw(await oldest('waiting')) === 0,
    );
    await set(decides.id, 'status', 'queued');
    await Promise.all([later.cancel(), decides.cancel()]);
  });

  it('are those of the queues and the records, whichever process is asked', async () => {
    for (const queue of ['research', 'tools', 'chats', 'alarms'])
      await until(
        `no worker of ${queue} to be counted`,
        async (saw) => saw(await workers(queue)) === 0,
      );
    const waits = await stand.client().submit();
    await set(waits.id, 'created_ms', Date.now() - HOUR);
    await until(
      'a run to have waited for an hour',
      async (saw) => saw((await oldest('waiting')) ?? 0) >= 3_600,
    );
    expect(await oldest('running')).toBe(0);

    const worker = await stand.addWorker();
    await until(
      'the worker to be counted',
      async (saw) => saw(await workers('research')) === 1,
    );
    await until('the run to run', async (saw) => {
      const { status } = saw(await waits.read());
      return status === 'running';
    });
    await set(waits.id, 'started_ms', Date.now() - 2 * HOUR);
    await until(
      'a run to have run for two hours',
      async (saw) =>
        saw(
          (await surveyed('sonde_oldest_run_seconds', 'running', worker)) ?? 0,
        ) >= 7_200,
    );
    await until(
      'no run to wait',
      async (saw) => saw(await oldest('waiting')) === 0,
    );
    expect(await oldest('overdue')).toBe(0);
    await set(waits.id, 'deadline_ms', Date.now() - HOUR);
    await until(
      'the run to be overdue',
      async (saw) => saw((await oldest('overdue')) ?? 0) >= 3_600,
    );
    await waits.cancel();
    await until(
      'no run to be left',
      async (saw) => saw(await oldest('overdue')) === 0,
    );
  });
});
