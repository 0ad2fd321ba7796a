import { setTimeout as sleep } from 'node:timers/promises';
import type { McpLink } from './mcp.link';

/** A server that says all the time that its tools have changed is asked no more often than this. */
const LOOK_EVERY_MS = 1_000;
const FIRST_MS = 1_000;
const MOST_MS = 30_000;

/** Keeps the tools of a linked server known, and gives a link up that no longer leads anywhere. */
export class McpWatch {
  private doubted = false;
  private looking = false;

  constructor(
    private readonly link: McpLink,
    private readonly onTools: (entries: unknown[]) => void,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  /** Safe to call at any rate. */
  doubt(): void {
    this.doubted = true;
    if (!this.looking) void this.lookAgain();
  }

  /** @throws what the SDK throws. */
  async look(): Promise<void> {
    const entries = await this.link.definitions();
    if (!this.link.gone.aborted) this.onTools(entries);
  }

  /** For as long as the link lasts. */
  async listen(): Promise<void> {
    const { link } = this;
    for (let attempt = 0; !link.gone.aborted; attempt++) {
      const began = Date.now();
      const listening = link.listen().catch(this.onTrouble);
      // What changed while nobody listened was told to nobody.
      if (attempt > 0) this.doubt();
      await listening;
      if (Date.now() - began > MOST_MS) attempt = 0;
      await pause(Math.min(FIRST_MS * 2 ** attempt, MOST_MS), link.gone);
    }
  }

  private async lookAgain(): Promise<void> {
    const { link } = this;
    this.looking = true;
    while (this.doubted && !link.gone.aborted) {
      this.doubted = false;
      try {
        await this.look();
      } catch (error) {
        this.onTrouble(error);
        // With calls under way it stays: each of them finds its own end, and then there is doubt again.
        if (!link.inUse) link.giveUp();
      }
      await pause(LOOK_EVERY_MS, link.gone);
    }
    this.looking = false;
  }
}

/** Ends early, without an error, when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
