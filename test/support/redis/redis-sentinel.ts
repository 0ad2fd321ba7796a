import { writeFileSync } from 'node:fs';
import { type Member, RedisFleet } from './redis-fleet';
import { until } from '../until';

/** A master, its replica, and a sentinel with a quorum of one. */
export class SentinelFleet extends RedisFleet {
  private sentinel!: Member;

  static async start(): Promise<SentinelFleet> {
    const fleet = new SentinelFleet();
    const master = await fleet.add({});
    await fleet.add({ replicaof: `127.0.0.1 ${master.port}` });
    const config = fleet.path('sentinel.conf');
    writeFileSync(
      config,
      `sentinel monitor sonde 127.0.0.1 ${master.port} 1
sentinel down-after-milliseconds sonde 500
sentinel failover-timeout sonde 3000
`,
    );
    fleet.sentinel = await fleet.add({}, config, '--sentinel');
    await until('the sentinel to know the replica', async () =>
      (await fleet.ask('REPLICAS')).some((replica) => replica.includes('ok')),
    );
    return fleet;
  }

  get url(): string {
    return `redis+sentinel://${this.sentinel.address}/sonde`;
  }

  /** Resolves when the replica has received all writes so far. */
  async replicated(): Promise<void> {
    const [master] = this.members;
    // WAIT covers the writes of its own connection only.
    await master.client.set('test:written', '1');
    await until(
      'the replica to have what the master has',
      async () => (await master.client.wait(1, 1_000)) === 1,
    );
  }

  async killMaster(): Promise<void> {
    await this.members[0].kill();
  }

  /** Requests another master, though the current one is healthy. */
  async switchMaster(): Promise<void> {
    await this.sentinel.client.call('SENTINEL', 'FAILOVER', 'sonde');
  }

  /** Resolves when the replica has become the master. */
  async switched(): Promise<void> {
    const [, replica] = this.members;
    await until('the replica to become master', async () =>
      (await replica.client.info('replication')).includes('role:master'),
    );
  }

  private async ask(what: string): Promise<string[][]> {
    return (await this.sentinel.client.call(
      'SENTINEL',
      what,
      'sonde',
    )) as string[][];
  }
}
