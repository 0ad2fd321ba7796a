import { setMaxListeners } from 'node:events';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/** Signals long waits and event streams to end because this process is shutting down. */
@Injectable()
export class Shutdown implements BeforeApplicationShutdown {
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;

  constructor() {
    // Every open stream and wait adds a listener; thousands are no leak.
    setMaxListeners(0, this.signal);
  }

  begin(): void {
    this.controller.abort();
  }

  beforeApplicationShutdown(): void {
    this.begin();
  }
}
