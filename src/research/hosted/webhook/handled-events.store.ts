import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../../platform/redis/redis-connections';

/** Longer than the 72 hours for which senders repeat an event. */
const TTL_SECONDS = 4 * 24 * 60 * 60;

const key = (id: string) => `sonde:webhook:${id}`;

/** The ids of handled events. A sender that repeats an event repeats its id. */
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
    await this.redis.set(key(id), '1', 'EX', TTL_SECONDS);
  }
}
