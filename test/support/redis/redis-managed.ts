import { TcpProxy } from '../processes/tcp-proxy';
import { until } from '../until';
import { type Member, RedisFleet } from './redis-fleet';

/** Two servers behind one address, as of a managed Redis. A failover leaves every connection at the old primary. */
export class ManagedFleet extends RedisFleet {
  private address!: TcpProxy;

  static async start(): Promise<ManagedFleet> {
    const fleet = new ManagedFleet();
    const settings = { 'repl-diskless-sync-delay': '0' };
    const first = await fleet.add(settings);
    await fleet.add({ ...settings, replicaof: `127.0.0.1 ${first.port}` });
    fleet.address = await TcpProxy.to({ port: first.port });
    await fleet.replicated();
    return fleet;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.address.port}`;
  }

  get primary(): Member {
    return this.members[0];
  }

  get replica(): Member {
    return this.members[1];
  }

  /** Resolves when the replica has received all writes so far. */
  async replicated(): Promise<void> {
    await until('the replica to have what the primary has', async () => {
      // WAIT covers the writes of its own connection only.
      await this.primary.client.set('test:written', '1');
      return (await this.primary.client.wait(1, 100)) === 1;
    });
  }

  /** The servers change their roles. The address still leads to the old primary. */
  async failOver(): Promise<void> {
    await this.replicated();
    this.members.reverse();
    await this.primary.client.replicaof('NO', 'ONE');
    await this.replica.client.replicaof('127.0.0.1', this.primary.port);
  }

  /** New connections reach the primary; the others stay where they are. */
  moveAddress(): void {
    this.address.moveTo({ port: this.primary.port });
  }

  override async stop(): Promise<void> {
    await this.address.close();
    await super.stop();
  }
}
