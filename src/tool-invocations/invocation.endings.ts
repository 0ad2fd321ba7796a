import { Injectable } from '@nestjs/common';
import { UnfinishedIndex } from './unfinished.index';

/** What a room does once an invocation has ended or is gone. Safe to repeat; throws if it has to be tried again. */
export type EndListener = (invocationId: string) => Promise<void>;

/**
 * What is left to do after the last event of an invocation. Until all of it is done the invocation stays in the index
 * of the unfinished, where the sweeper finds it after a crash.
 */
@Injectable()
export class InvocationEndings {
  private readonly listeners: EndListener[] = [];

  constructor(private readonly unfinished: UnfinishedIndex) {}

  register(listener: EndListener): void {
    this.listeners.push(listener);
  }

  async settle(invocationId: string): Promise<void> {
    await Promise.all(this.listeners.map((listen) => listen(invocationId)));
    await this.unfinished.remove(invocationId);
  }
}
