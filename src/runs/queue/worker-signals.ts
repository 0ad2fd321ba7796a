import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { KEYS } from '../record/run-keys';

/** `cancel`: the run is to end. `followed`: its events have a reader. `news`: the model endpoint has reported a change. */
export type WorkerSignal = 'cancel' | 'followed' | 'news';

type Listener = (signal: WorkerSignal, id: string) => void;

/**
 * Notifies the worker that holds a run of what it would otherwise see at its next look. Only a hint: everything signalled is
 * on the record, or at the model endpoint.
 */
@Injectable()
export class WorkerSignals implements OnModuleInit {
  private readonly listeners = new Set<Listener>();

  constructor(private readonly connections: RedisConnections) {}

  onModuleInit(): void {
    this.connections.subscriber.on(
      'message',
      (channel: string, text: string) => {
        if (channel !== KEYS.signals) return;
        const [signal, id] = text.split(' ');
        this.listeners.forEach((listener) =>
          listener(signal as WorkerSignal, id),
        );
      },
    );
  }

  async listen(listener: Listener): Promise<void> {
    this.listeners.add(listener);
    await this.connections.subscriber.subscribe(KEYS.signals);
  }

  async send(signal: WorkerSignal, id: string): Promise<void> {
    await this.connections.commands.publish(KEYS.signals, `${signal} ${id}`);
  }
}
