import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../../redis/redis-connections';

/** Senders repeat an event for 72 hours. */
const KEPT_SECONDS = 4 * 24 * 60 * 60;

const key = (id: string) => `sonde:webhook:${id}`;

/** The events that were handled, by the id that a sender gives each and keeps when it sends it again. */
@Injectable()
export class HandledEventsStore {
  private readonly redis: RedisClient;

  constructor(connections: RedisConnections) {
    this.redis = connections.commands;
  }

  async isHandled(id: string): Promise<boolean> {
    return (await this.redis.exists(key(id))) === 1;
  }

  async markHandled(id: string): Promise<void> {
    await this.redis.set(key(id), '1', 'EX', KEPT_SECONDS);
  }
}
