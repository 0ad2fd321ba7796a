import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { dayOf, monthOf, SPEND_KEYS } from './spend-keys';
import { BOOK, COUNT, STANDING } from './account.script';

/** A run that has ended may be settled again for so long after its record is gone. */
const MARGIN_MS = 35 * 86_400_000;
/** A group of calls may be written again for so long. */
const GROUP_MS = 86_400_000;
const NANO = 1e9;

export type SpendKind = 'chat' | 'research';

/** What one kind and model have used. `unknown`: how many runs or calls have no known cost. */
export interface Line {
  kind: SpendKind;
  model: string;
  runs: number;
  input: number;
  output: number;
  nano: number;
  unknown: number;
}

/** All that a run has used so far. */
export interface Booking extends Omit<Line, 'runs'> {
  account: string;
  id: string;
  /** Of the claim; bookings of an earlier claim are ignored. Undefined: without one. */
  fence?: string;
  /** No more comes after it. */
  isFinal?: boolean;
}

/** Of a call that is about to begin, with all others of its run. */
export interface Reservation {
  nano: number;
  /** Must stay free beside it. */
  free: number;
  limits: { day?: number; month?: number };
}

/** Of an account, in nano-dollars. */
export interface Standing {
  day: number;
  month: number;
  reserved: number;
  /** Runs and calls of the day whose cost is not known; undefined if there are none. */
  unknown?: number;
}

/** `day`, `month`: the limit that the reservation would pass. `lost`: another worker has the run. */
export type BookOutcome = 'ok' | 'day' | 'month' | 'lost';

type Script = (
  ...args: (string | number)[]
) => Promise<[BookOutcome, ...string[]]>;

/** Accounts of money in Redis: what the callers of a key have used by UTC day and month, and what is reserved. */
@Injectable()
export class AccountStore {
  private readonly redis: RedisClient;
  private readonly scripts: Record<
    'sondeBook' | 'sondeCount' | 'sondeStanding',
    Script
  >;

  constructor(
    private readonly connections: RedisConnections,
    private readonly config: AppConfig,
  ) {
    this.redis = connections.commands;
    for (const [name, lua] of [
      ['sondeBook', BOOK],
      ['sondeCount', COUNT],
      ['sondeStanding', STANDING],
    ])
      this.redis.defineCommand(name, { numberOfKeys: 4, lua });
    this.scripts = this.redis as unknown as typeof this.scripts;
  }

  /** By the clock of Redis. */
  now(): number {
    return this.connections.clock.now();
  }

  /** Safe to repeat. What is reserved is replaced; without `reservation` nothing is. */
  async book(
    { account, id, fence = '', isFinal, ...line }: Booking,
    { nano, free, limits }: Reservation = { nano: 0, free: 0, limits: {} },
  ): Promise<{ outcome: BookOutcome; standing: Standing }> {
    const { kind, model, input, output, unknown } = line;
    const [outcome, ...standing] = await this.scripts.sondeBook(
      ...this.keysOf(account, id),
      id,
      kind,
      model,
      whole(input),
      whole(output),
      whole(line.nano),
      unknown > 0 ? '1' : '0',
      isFinal ? '1' : '0',
      this.config.runs.retentionMs + MARGIN_MS,
      fence,
      whole(nano),
      whole(free),
      limits.day === undefined ? '' : whole(limits.day),
      limits.month === undefined ? '' : whole(limits.month),
    );
    return { outcome, standing: standingOf(standing) };
  }

  /** @param id of this group of calls: repeating it counts nothing. */
  async count(
    account: string,
    id: string,
    lines: readonly Line[],
  ): Promise<Standing> {
    const [, ...standing] = await this.scripts.sondeCount(
      ...this.keysOf(account, id),
      GROUP_MS,
      ...lines.flatMap(
        ({ kind, model, runs, input, output, nano, unknown }) => [
          kind,
          model,
          runs,
          input,
          output,
          whole(nano),
          unknown,
        ],
      ),
    );
    return standingOf(standing);
  }

  async standing(account: string): Promise<Standing> {
    const keys = this.keysOf(account, '');
    const [, ...standing] = await this.scripts.sondeStanding(...keys);
    return standingOf(standing);
  }

  /** What was used on each of these UTC days, by kind and model. */
  async days(account: string, days: readonly string[]): Promise<Line[][]> {
    const hashes = await Promise.all(
      days.map((day) => this.redis.hgetall(SPEND_KEYS.day(account, day))),
    );
    return hashes.map(linesOf);
  }

  private keysOf(account: string, id: string): string[] {
    const now = this.now();
    return [
      SPEND_KEYS.day(account, dayOf(now)),
      SPEND_KEYS.month(account, monthOf(now)),
      SPEND_KEYS.counted(account, id),
      SPEND_KEYS.reserved(account),
    ];
  }
}

/** Nano-dollars of an amount in dollars. */
export function nanoOf(usd: number): number {
  return Math.round(usd * NANO);
}

export function usdOf(nano: number): number {
  return nano / NANO;
}

/** Exact as a double. */
const MAX_VALUE = Number.MAX_SAFE_INTEGER;

/** Digits alone. What is no number or negative, as an earlier version may have stored it, counts as nothing. */
function whole(value: number): string {
  return value > 0 ? Math.round(Math.min(value, MAX_VALUE)).toString() : '0';
}

function standingOf([day, month, reserved, unknown]: string[]): Standing {
  return {
    day: Number(day),
    month: Number(month),
    reserved: Number(reserved),
    ...(Number(unknown) > 0 && { unknown: Number(unknown) }),
  };
}

const LINE = 'line:';

function linesOf(hash: Record<string, string>): Line[] {
  return Object.keys(hash)
    .filter((field) => field.startsWith(LINE))
    .map((field) => field.slice(LINE.length))
    .map((label) => {
      const [kind, model] = JSON.parse(label) as [SpendKind, string];
      const of = (name: string): number =>
        Number(hash[`${name}:${label}`] ?? 0);
      return {
        kind,
        model,
        runs: of('runs'),
        input: of('input'),
        output: of('output'),
        nano: of('nano'),
        unknown: of('unknown'),
      };
    })
    .sort(
      (a, b) => a.kind.localeCompare(b.kind) || a.model.localeCompare(b.model),
    );
}
