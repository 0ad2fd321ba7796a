import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RedisConnections } from '../redis/redis-connections';
import { KEYS } from './invocation.keys';

/**
 * Tells the workers that a cancellation was asked for, so that they need not wait for their next heartbeat.
 * Only a hint: the flag on the record is the truth.
 */
@Injectable()
export class CancellationBell implements OnModuleInit {
  private readonly listeners = new Set<(id: string) => void>();

  constructor(private readonly connections: RedisConnections) {}

  onModuleInit(): void {
    this.connections.subscriber.on('message', (channel: string, id: string) => {
      if (channel === KEYS.cancellations)
        this.listeners.forEach((listener) => listener(id));
    });
  }

  async listen(listener: (id: string) => void): Promise<void> {
    this.listeners.add(listener);
    await this.connections.subscriber.subscribe(KEYS.cancellations);
  }

  async ring(id: string): Promise<void> {
    await this.connections.commands.publish(KEYS.cancellations, id);
  }
}
