import { randomUUID } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
} from '@nestjs/common';
import { within } from '../../platform/pause';
import { isRedisUnavailable } from '../../platform/redis/redis-unavailable';
import { AccountStore, type Line } from './account.store';
import { Budgets } from './budgets';

/** Calls of so long are counted together. */
const GROUP_MS = 20;
/** A group that Redis has not taken is written again. */
const RETRY_MS = 1_000;
/** Groups that wait during an outage; later ones are given up. */
const MAX_GROUPS = 10_000;
/** The end of a process waits for its last groups. */
const CLOSE_MS = 2_000;

interface Group {
  id: string;
  account: string;
  lines: Map<string, Line>;
}

/**
 * Counts calls of models on the account of their caller, without a wait: those of a moment together, each group once even if
 * it is written again. The calls of the last 20 ms are lost with a process that crashes.
 */
@Injectable()
export class CallMeter implements BeforeApplicationShutdown {
  private readonly log = new Logger('Spend');
  private readonly open = new Map<string, Group>();
  private readonly pending = new Set<Promise<void>>();
  private waiting: Group[] = [];
  private readonly process = randomUUID();
  private groups = 0;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly accounts: AccountStore,
    private readonly budgets: Budgets,
  ) {}

  /** @param atOnce before anything that this process writes to Redis afterwards. */
  count(account: string, call: Line, atOnce = false): void {
    const group = this.open.get(account) ?? this.begin(account);
    const key = `${call.kind} ${call.model}`;
    const line = group.lines.get(key);
    group.lines.set(key, line ? sum(line, call) : call);
    if (atOnce) this.flush(group);
    else this.timer ??= setTimeout(() => this.flushAll(), GROUP_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.flushAll();
    await within(CLOSE_MS, Promise.all(this.pending));
  }

  private begin(account: string): Group {
    this.groups += 1;
    const id = `${this.process}:${this.groups}`;
    const group: Group = { id, account, lines: new Map() };
    this.open.set(account, group);
    return group;
  }

  private flushAll(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const groups = [...this.waiting, ...this.open.values()];
    this.waiting = [];
    for (const group of groups) this.flush(group);
  }

  private flush(group: Group): void {
    const { id, account, lines } = group;
    if (this.open.get(account) === group) this.open.delete(account);
    const written = this.accounts
      .count(account, id, [...lines.values()])
      .then((standing) => this.budgets.note(account, standing))
      .catch((error: unknown) => this.repeat(group, error))
      .finally(() => this.pending.delete(written));
    this.pending.add(written);
  }

  private repeat(group: Group, error: unknown): void {
    if (!isRedisUnavailable(error)) this.log.error(error);
    if (this.waiting.length >= MAX_GROUPS) return;
    this.waiting.push(group);
    this.timer ??= setTimeout(() => this.flushAll(), RETRY_MS).unref();
  }
}

function sum(a: Line, b: Line): Line {
  return {
    ...a,
    runs: a.runs + b.runs,
    input: a.input + b.input,
    output: a.output + b.output,
    nano: a.nano + b.nano,
    unknown: a.unknown + b.unknown,
  };
}
