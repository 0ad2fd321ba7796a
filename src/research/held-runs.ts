import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppConfig } from '../config/config';
import { InvocationBell } from '../tool-invocations/invocation.bell';
import {
  type Claim,
  InvocationStore,
} from '../tool-invocations/invocation.store';

/** Why a worker stops following a run before its end. */
export type StopReason = 'cancel' | 'lost' | 'shutdown' | 'deadline';

/** A run that this process holds, until `free` is called. */
export interface HeldRun {
  /** Aborts with a StopReason. */
  readonly signal: AbortSignal;
  free(): void;
}

interface Entry {
  fence: string;
  stop: AbortController;
}

/** The runs that this process holds: keeps their leases alive, and tells them when to stop. */
@Injectable()
export class HeldRuns implements OnModuleInit, OnApplicationShutdown {
  /** Names this process to the records. Says nothing about the machine. */
  readonly worker = randomUUID();
  private readonly log = new Logger('HeldRuns');
  private readonly runs = new Map<string, Entry>();
  private timer?: NodeJS.Timeout;
  private beating = false;
  private closing = false;

  constructor(
    private readonly store: InvocationStore,
    private readonly bell: InvocationBell,
    private readonly config: AppConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    this.timer = setInterval(
      () => void this.beat(),
      this.config.research.leaseMs / 3,
    );
    await this.bell.listen((ring, id) => {
      if (ring === 'cancel')
        this.runs.get(id)?.stop.abort('cancel' satisfies StopReason);
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  hold({ id, fence, fields, remainingMs }: Claim): HeldRun {
    const stop = new AbortController();
    const entry = { fence, stop };
    this.runs.set(id, entry);
    const clock = setTimeout(
      () => stop.abort('deadline' satisfies StopReason),
      Math.max(0, remainingMs),
    );
    if (fields.cancel === '1') stop.abort('cancel' satisfies StopReason);
    if (this.closing) stop.abort('shutdown' satisfies StopReason);
    return {
      signal: stop.signal,
      free: () => {
        clearTimeout(clock);
        if (this.runs.get(id) === entry) this.runs.delete(id);
      },
    };
  }

  /** Asks every run to be handed back. */
  stopAll(): void {
    this.closing = true;
    for (const { stop } of this.runs.values())
      stop.abort('shutdown' satisfies StopReason);
  }

  private async beat(): Promise<void> {
    // While Redis is away a beat waits for it; more of them would only pile up.
    if (this.beating) return;
    this.beating = true;
    try {
      await Promise.all(
        [...this.runs].map(([id, entry]) => this.beatOne(id, entry)),
      );
    } catch {
      this.log.warn('Leases could not be renewed; trying again');
    } finally {
      this.beating = false;
    }
  }

  private async beatOne(id: string, { fence, stop }: Entry): Promise<void> {
    const answer = await this.store.heartbeat(id, fence);
    if (answer === 'cancel') stop.abort('cancel' satisfies StopReason);
    if (answer === 'fenced') stop.abort('lost' satisfies StopReason);
  }
}
