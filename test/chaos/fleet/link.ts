import { connect, createServer, type Server, type Socket } from 'node:net';
import {
  setImmediate as nextTurn,
  setTimeout as sleep,
} from 'node:timers/promises';

/** The number of pieces into which a drip splits each chunk. */
const MOST_DROPS = 200;

/** The address of a listener. */
export type Place = { host: string; port: number } | { path: string };

interface Step {
  left: number;
  passes: boolean;
  reached: () => void;
}

/** A connection between two parties that can be cut, blocked or slowed down. */
export class Link {
  private readonly sockets = new Set<Socket>();
  private server?: Server;
  private stalled = false;
  private dripping = false;
  private step?: Step;
  private turn: Promise<void> = Promise.resolve();

  private constructor(
    private readonly here: Place,
    private readonly there: Place,
  ) {}

  /** Undefined if the address is in use. */
  static async open(here: Place, there: Place): Promise<Link | undefined> {
    const link = new Link(here, there);
    return (await link.listen()) ? link : undefined;
  }

  /** Faults of one link strike one after the other. */
  inTurn(action: () => void | Promise<void>): Promise<void> {
    this.turn = this.turn.then(action);
    return this.turn;
  }

  /** Every connection breaks; new ones work. */
  reset(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Every connection breaks, and new ones are refused for `ms`. */
  async refuse(ms: number): Promise<void> {
    const closed = new Promise((resolve) => this.server!.close(resolve));
    this.reset();
    await closed;
    await sleep(ms);
    while (!(await this.listen())) await sleep(20);
  }

  /** Nothing arrives for `ms`, without any error. Then all of it does, or the connections break. */
  async stall(ms: number, breaks: boolean): Promise<void> {
    this.stalled = true;
    for (const socket of this.sockets) socket.pause();
    await sleep(ms);
    this.stalled = false;
    if (breaks) this.reset();
    for (const socket of this.sockets) socket.resume();
  }

  /** Everything arrives in small pieces for `ms`. */
  async drip(ms: number): Promise<void> {
    this.dripping = true;
    await sleep(ms);
    this.dripping = false;
  }

  /**
   * Calls `reached` when the `count`th piece from here passes. It still `passes`, or never arrives.
   * Returns a function that cancels this.
   */
  atStep(count: number, passes: boolean, reached: () => void): () => void {
    this.step = { left: count, passes, reached };
    return () => (this.step = undefined);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server!.close(resolve));
    this.reset();
    await closed;
  }

  private listen(): Promise<boolean> {
    this.server = createServer((near) => this.join(near));
    return new Promise((resolve) => {
      this.server!.once('error', () => resolve(false));
      this.server!.listen(this.here, () => resolve(true));
    });
  }

  private join(near: Socket): void {
    const far = connect(this.there);
    this.carry(near, far, true);
    this.carry(far, near, false);
  }

  private carry(from: Socket, to: Socket, isFromHere: boolean): void {
    let pieces: Promise<void> | undefined;
    this.sockets.add(from);
    from.setNoDelay();
    from.on('data', (data: Buffer) => {
      if (isFromHere && !this.mayPass()) return;
      if (this.dripping || pieces) {
        const turn = (pieces ?? Promise.resolve()).then(() => drip(data, to));
        pieces = turn;
        void turn.then(() => {
          if (pieces === turn) pieces = undefined;
        });
      } else if (!to.write(data)) this.waitForRoom(from, to);
    });
    from.on('end', () => to.end());
    from.on('error', () => undefined);
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
    if (this.stalled) from.pause();
  }

  private mayPass(): boolean {
    const { step } = this;
    if (!step) return true;
    step.left -= 1;
    if (step.left > 0) return true;
    this.step = undefined;
    step.reached();
    return step.passes;
  }

  private waitForRoom(from: Socket, to: Socket): void {
    from.pause();
    to.once('drain', () => {
      if (!this.stalled) from.resume();
    });
  }
}

async function drip(data: Buffer, to: Socket): Promise<void> {
  const size = Math.max(16, Math.ceil(data.length / MOST_DROPS));
  for (let at = 0; at < data.length; at += size) {
    to.write(data.subarray(at, at + size));
    await nextTurn();
  }
}
