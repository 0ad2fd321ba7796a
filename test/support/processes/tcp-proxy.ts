import { createServer, connect, type Socket } from 'node:net';
import { freePort } from './free-port';

type Target = { host?: string; port: number } | { path: string };

/**
 * ⏎ A TCP proxy on loopback between two parties. `cut` resets connections and refuses new ones. `stall` permanently
 * drops all bytes of existing connections, and those of new ones until `heal`.
 */
export class TcpProxy {
  private readonly pairs = new Set<Socket[]>();
  private stalled = false;
  private readonly server = createServer((socket) => this.join(socket));

  private constructor(
    private target: Target,
    readonly port: number,
  ) {}

  static async to(target: Target): Promise<TcpProxy> {
    const wire = new TcpProxy(target, await freePort());
    await wire.listen();
    return wire;
  }

  /** How many are open. */
  get connections(): number {
    return this.pairs.size;
  }

  /** New connections go to another target; the existing ones stay where they are. */
  moveTo(target: Target): void {
    this.target = target;
  }

  cut(): void {
    this.server.close();
    for (const pair of this.pairs) reset(pair);
  }

  stall(): void {
    this.stalled = true;
    for (const pair of this.pairs) swallow(pair);
  }

  /** New connections work. Stalled ones stay dead, as behind a router that has lost their state. */
  async heal(): Promise<void> {
    this.stalled = false;
    if (!this.server.listening) await this.listen();
  }

  async close(): Promise<void> {
    for (const pair of this.pairs) reset(pair);
    await new Promise((resolve) => this.server.close(resolve));
  }

  private listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  private join(near: Socket): void {
    const pair = [near];
    near.on('error', () => undefined);
    this.pairs.add(pair);
    near.on('close', () => {
      this.pairs.delete(pair);
      reset(pair);
    });
    if (this.stalled) return swallow(pair);
    const far = connect(this.target);
    pair.push(far);
    far.on('error', () => reset(pair));
    far.on('close', () => near.end());
    near.pipe(far);
    far.pipe(near);
  }
}

function reset(pair: Socket[]): void {
  for (const socket of pair) {
    // Unix sockets have no reset.
    if (socket.remoteFamily) socket.resetAndDestroy();
    else socket.destroy();
  }
}

function swallow(pair: Socket[]): void {
  for (const socket of pair) {
    socket.unpipe();
    socket.removeAllListeners('close');
    socket.on('data', () => undefined);
  }
}
