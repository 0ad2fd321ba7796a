import { setMaxListeners } from 'node:events';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/** Tells long waits and event streams that this process is going away, so that they end politely. */
@Injectable()
export class Shutdown implements BeforeApplicationShutdown {
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;

  constructor() {
    // One listener for every open stream and wait: thousands are not a leak.
    setMaxListeners(0, this.signal);
  }

  begin(): void {
    this.controller.abort();
  }

  beforeApplicationShutdown(): void {
    this.begin();
  }
}
