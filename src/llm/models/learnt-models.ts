import { Injectable } from '@nestjs/common';

const LIFETIME_MS = 10 * 60 * 1000;
/** A caller may choose the names of models. */
const MAX_MODELS = 500;
const MAX_FACTS = 100;

/** What was learnt about a model. */
export interface Learnt {
  /** In words for operators, such as `responses without reasoning.effort`. */
  fact: string;
  /** Such as a number of tokens. */
  value?: number;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * What this process learnt about the models of its endpoint from refusals and replies, each fact for ten minutes unless
 * another time is given: an endpoint may be changed. Bounded: the oldest makes room.
 */
@Injectable()
export class LearntModels {
  /** Changes with every fact that is learnt or forgotten. */
  version = 0;
  private readonly models = new Map<string, Map<string, Learnt>>();

  knows(model: string, fact: string): boolean {
    return this.valid(model, fact) !== undefined;
  }

  value(model: string, fact: string): number | undefined {
    return this.valid(model, fact)?.value;
  }

  learn(
    model: string,
    fact: string,
    { value, ms = LIFETIME_MS }: { value?: number; ms?: number } = {},
  ): void {
    this.version += 1;
    const facts = this.models.get(model) ?? new Map<string, Learnt>();
    this.models.delete(model);
    this.models.set(model, facts);
    facts.delete(fact);
    facts.set(fact, { fact, value, until: Date.now() + ms });
    dropOldest(facts, MAX_FACTS);
    dropOldest(this.models, MAX_MODELS);
  }

  forget(model: string, fact: string): void {
    this.version += 1;
    this.models.get(model)?.delete(fact);
  }

  /** The remainders of the facts that start with the prefix. */
  withPrefix(model: string, prefix: string): string[] {
    return this.of(model).flatMap(({ fact }) =>
      fact.startsWith(prefix) ? fact.slice(prefix.length) : [],
    );
  }

  /** All that is known of a model. */
  of(model: string): Learnt[] {
    const facts = [...(this.models.get(model)?.values() ?? [])];
    return facts.filter(isValid);
  }

  /** Model -> what is known of it. */
  all(): Map<string, Learnt[]> {
    const known = [...this.models.keys()].map(
      (model) => [model, this.of(model)] as const,
    );
    return new Map(known.filter(([, facts]) => facts.length > 0));
  }

  private valid(model: string, fact: string): Learnt | undefined {
    const learnt = this.models.get(model)?.get(fact);
    return learnt && isValid(learnt) ? learnt : undefined;
  }
}

function isValid({ until }: Learnt): boolean {
  return until > Date.now();
}

function dropOldest<T>(map: Map<string, T>, size: number): void {
  const [oldest] = map.keys();
  if (map.size > size) map.delete(oldest);
}
