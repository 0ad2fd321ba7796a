import { Injectable, Logger } from '@nestjs/common';
import { ExpiringSet } from './expiring-set';

export type Protocol = 'responses' | 'completions';

/** The models that are called over Chat Completions without trying Responses, for ten minutes after Responses was refused. */
@Injectable()
export class ModelProtocols {
  private readonly log = new Logger('Models');
  private readonly overCompletions = new ExpiringSet();

  of(model: string): Protocol {
    return this.overCompletions.has(model) ? 'completions' : 'responses';
  }

  useCompletions(model: string): void {
    this.overCompletions.add(model);
    this.log.log(`${model} is called over Chat Completions`);
  }

  forget(model: string): void {
    this.overCompletions.delete(model);
  }
}
