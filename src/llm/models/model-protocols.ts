import { Logger } from '@nestjs/common';
import type { LearntModels } from './learnt-models';

export type Protocol = 'responses' | 'completions';

const COMPLETIONS = 'over Chat Completions';

/** The models that are called over Chat Completions without trying Responses, for ten minutes after Responses was refused. */
export class ModelProtocols {
  private readonly log = new Logger('Models');

  constructor(private readonly learnt: LearntModels) {}

  of(model: string): Protocol {
    return this.learnt.knows(model, COMPLETIONS) ? 'completions' : 'responses';
  }

  useCompletions(model: string): void {
    this.learnt.learn(model, COMPLETIONS);
    this.log.log(`${model} is called over Chat Completions`);
  }

  forget(model: string): void {
    this.learnt.forget(model, COMPLETIONS);
  }
}
