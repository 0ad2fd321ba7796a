import type { ServerResponse } from 'node:http';

/** The places of a server that works on few requests at once; the other requests wait in the order of their arrival. */
export class Slots {
  private busy = 0;
  private readonly waiting = new Set<(mine: boolean) => void>();

  /** Resolves once there is a place, which is free again when the response is closed; or when the client has left. */
  async take(res: ServerResponse, most: number | null): Promise<void> {
    if (most === null) return;
    if (this.busy < most) this.busy++;
    else if (!(await this.turn(res))) return;
    if (res.destroyed) this.free();
    else res.once('close', () => this.free());
  }

  /** False: the client did not wait. */
  private turn(res: ServerResponse): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting.add(resolve);
      res.once('close', () => {
        if (this.waiting.delete(resolve)) resolve(false);
      });
    });
  }

  /** The place goes to the request that has waited longest. */
  private free(): void {
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      next(true);
    } else this.busy--;
  }
}
