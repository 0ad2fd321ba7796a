import { freePort } from '../processes/free-port';
import { type Member, RedisFleet } from './redis-fleet';
import { until } from '../until';

const SLOTS = 16_384;

/** Three masters, each with a third of the slots. */
export class ClusterFleet extends RedisFleet {
  static async start(): Promise<ClusterFleet> {
    const fleet = new ClusterFleet();
    for (let i = 0; i < 3; i += 1) {
      const member = await fleet.add({
        'cluster-enabled': 'yes',
        'cluster-node-timeout': '2000',
        'cluster-config-file': `nodes-${i}.conf`,
        'cluster-port': String(await freePort()),
      });
      const [from, to] = [i, i + 1].map((n) => Math.floor((SLOTS * n) / 3));
      await member.client.cluster('ADDSLOTSRANGE', from, to - 1);
      await member.client.cluster('SET-CONFIG-EPOCH', i + 1);
    }
    const [first, ...others] = fleet.members;
    for (const other of others) {
      await fleet.meet(first, other);
    }
    await until('the cluster to be ok', async (saw) => {
      const infos = await Promise.all(
        fleet.members.map(({ client }) => client.cluster('INFO')),
      );
      return saw(infos).every((info) => /cluster_state:ok/.test(String(info)));
    });
    return fleet;
  }

  get url(): string {
    const addresses = this.members.map(({ address }) => address);
    return `redis+cluster://${addresses.join(',')}`;
  }

  /** Moves the slot of a key to another node, with its keys, while it is in use. */
  async move(key: string): Promise<void> {
    const [{ client }] = this.members;
    const slot = await client.cluster('KEYSLOT', key);
    const owner = Math.floor((Number(slot) * 3) / SLOTS);
    const from = this.members[owner];
    const to = this.members[(owner + 1) % 3];
    const [fromId, toId] = await Promise.all(
      [from, to].map(({ client: node }) => node.cluster('MYID')),
    );
    const set = (member: Member, ...state: string[]) =>
      member.client.call('CLUSTER', 'SETSLOT', String(slot), ...state);
    await set(to, 'IMPORTING', String(fromId));
    await set(from, 'MIGRATING', String(toId));
    for (;;) {
      const keys = await from.client.cluster('GETKEYSINSLOT', Number(slot), 1);
      if (keys.length === 0) break;
      await from.client.migrate('127.0.0.1', to.port, keys[0], 0, 5_000);
    }
    await set(to, 'NODE', String(toId));
    await set(from, 'NODE', String(toId));
  }

  /** The number of keys in the slot of a key, per node. */
  async keysBeside(key: string): Promise<number[]> {
    return Promise.all(
      this.members.map(async ({ client }) => {
        const slot = await client.cluster('KEYSLOT', key);
        return Number(await client.cluster('COUNTKEYSINSLOT', Number(slot)));
      }),
    );
  }

  private async meet(first: Member, other: Member): Promise<void> {
    const [, bus] = (await other.client.config(
      'GET',
      'cluster-port',
    )) as string[];
    const address = ['127.0.0.1', String(other.port), bus];
    await first.client.call('CLUSTER', 'MEET', ...address);
  }
}
