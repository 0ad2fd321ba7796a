import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RedisConnections } from '../../redis/redis-connections';
import { KEYS } from '../record/run.keys';

/** `cancel`: it is to end. `followed`: somebody reads its events. `news`: the upstream has said that something happened. */
export type WorkerSignal = 'cancel' | 'followed' | 'news';

/**
 * Tells the worker that holds an invocation what it would else learn at its next look. Only a hint: whatever is
 * rung for is on the record, or at the upstream.
 */
@Injectable()
export class WorkerSignals implements OnModuleInit {
  private readonly listeners = new Set<
    (ring: WorkerSignal, id: string) => void
  >();

  constructor(private readonly connections: RedisConnections) {}

  onModuleInit(): void {
    this.connections.subscriber.on(
      'message',
      (channel: string, text: string) => {
        if (channel !== KEYS.bell) return;
        const [ring, id] = text.split(' ');
        this.listeners.forEach((listener) =>
          listener(ring as WorkerSignal, id),
        );
      },
    );
  }

  async listen(
    listener: (ring: WorkerSignal, id: string) => void,
  ): Promise<void> {
    this.listeners.add(listener);
    await this.connections.subscriber.subscribe(KEYS.bell);
  }

  async ring(ring: WorkerSignal, id: string): Promise<void> {
    await this.connections.commands.publish(KEYS.bell, `${ring} ${id}`);
  }
}
