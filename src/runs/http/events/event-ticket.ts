import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors';
import {
  type RedisClient,
  RedisConnections,
} from '../../../platform/redis/redis-connections';
import { type IdPrefix, notFound } from '../../record/run-id';
import type { RunRecord } from '../../record/run-record';
import { RunsService } from '../../runs.service';

/** A stream that is open by then continues. */
const OPENS_FOR_SECONDS = 60;
const FORM = /^evt_(\d{1,12})_([0-9a-f]{64})$/;

export interface EventTicket {
  ticket: string;
  expiresMs: number;
}

/**
 * Tickets that let a browser's EventSource, which sends no headers, read the events of one record. A ticket is signed
 * with the stored hash of the record's own token: every API process can check it, and it ends with the record.
 */
@Injectable()
export class EventTickets {
  private readonly redis: RedisClient;

  constructor(
    connections: RedisConnections,
    private readonly invocations: RunsService,
  ) {
    this.redis = connections.commands;
  }

  async issue({ id, tokenHashes }: RunRecord): Promise<EventTicket> {
    const expires = (await this.nowSeconds()) + OPENS_FOR_SECONDS;
    const signature = sign(id, expires, tokenHashes[0]).toString('hex');
    return {
      ticket: `evt_${expires}_${signature}`,
      expiresMs: expires * 1000,
    };
  }

  /** @throws AppError `invocation_not_found` or `chat_not_found`, `invalid_ticket`. */
  async open(id: string, prefix: IdPrefix, ticket: string): Promise<RunRecord> {
    if (!id.startsWith(prefix)) throw notFound(prefix);
    const record = await this.invocations.read(id);
    const [, expires, signature] = FORM.exec(ticket) ?? [];
    if (!signature || Number(expires) < (await this.nowSeconds()))
      throw new AppError('invalid_ticket');
    const given = Buffer.from(signature, 'hex');
    const matching = record.tokenHashes.filter((hash) =>
      timingSafeEqual(sign(id, Number(expires), hash), given),
    );
    if (matching.length === 0) throw new AppError('invalid_ticket');
    return record;
  }

  /** By the clock of Redis: those of the API processes may differ. */
  private async nowSeconds(): Promise<number> {
    const [seconds] = await this.redis.time();
    return Number(seconds);
  }
}

function sign(id: string, expires: number, hash: string): Buffer {
  return createHmac('sha256', Buffer.from(hash, 'hex'))
    .update(`events ${id} ${expires}`)
    .digest();
}
