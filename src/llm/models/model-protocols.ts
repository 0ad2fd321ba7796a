import { Logger } from '@nestjs/common';
import type { ModelProtocol } from '../../config/config';
import { bestPattern } from '../../config/name-pattern';
import type { LearntModels } from './learnt-models';

export type Protocol = ModelProtocol;

const COMPLETIONS = 'over Chat Completions';

/**
 * The protocol by which a model is called: the configured one, else Responses, and Chat Completions for ten minutes after
 * Responses was refused.
 */
export class ModelProtocols {
  private readonly log = new Logger('Models');

  constructor(
    private readonly learnt: LearntModels,
    private readonly configured: ReadonlyMap<string, Protocol>,
  ) {}

  /** Undefined for a model whose protocol is found out. */
  configuredFor(model: string): Protocol | undefined {
    const { configured } = this;
    return configured.get(bestPattern(configured.keys(), model) ?? '');
  }

  of(model: string): Protocol {
    const configured = this.configuredFor(model);
    if (configured) return configured;
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
