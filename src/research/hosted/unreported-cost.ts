import { Injectable } from '@nestjs/common';
import { ModelChoice } from '../../llm/models/model-choice';
import { PriceTable } from '../../llm/prices/price-table';
import { countTokens, type TokenFactors } from '../../llm/tokens/count-tokens';
import { TokenCounter } from '../../llm/tokens/token-counter';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import type { Cost } from '../../runs/record/run';
import { RunReader } from '../../runs/store/run-reader';
import { argumentsIn } from '../arguments/research-arguments';
import { researchPrompt } from './research.prompt';

/** Hash: what a run of an engine and a model costs, in US dollars. */
const KEY = 'sonde:research:typical-cost';
/** How far it follows a run that cost more, or less: rather too high than too low. */
const UP = 0.5;
const DOWN = 0.2;
/** Of a research model of which no run has ended yet: it reads what it finds again with every step. */
const TYPICAL = { input_tokens: 250_000, output_tokens: 30_000 };
/** The parts of its cost that a run without text has caused: one by its purchase, one by each step. */
const PARTS = 10;

/** Characters of a text whose tokens are counted: for a longer one they stand for the whole. */
const SAMPLE = 100_000;

/** What is known here of a run that was bought. */
export interface BilledRun {
  id: string;
  engine: string;
  /** '' if it is not known. */
  model: string;
  /** It works in the background, as research models do. */
  background: boolean;
  text: string;
  /** Searches and the like. */
  steps: number;
}

/**
 * What a run is taken to have cost that was bought, and whose endpoint reports neither its cost nor its usage: as a rule one
 * that was cancelled. What was seen of it at the configured prices, but no less than its part of what such runs cost.
 */
@Injectable()
export class UnreportedCost {
  private readonly redis: RedisClient;

  constructor(
    { commands }: RedisConnections,
    private readonly reader: RunReader,
    private readonly prices: PriceTable,
    private readonly tokens: TokenCounter,
    private readonly models: ModelChoice,
  ) {
    this.redis = commands;
  }

  /** Called with the reported cost of each completed run. */
  async learn(bought: BilledRun, { spent }: Cost): Promise<void> {
    const run = await this.named(bought);
    const known = await this.learnt(run);
    const cost =
      known === undefined
        ? spent
        : known + (spent - known) * (spent > known ? UP : DOWN);
    await this.redis.hset(KEY, fieldOf(run), cost);
  }

  /** Undefined if the model has no price, and the cost of none of its runs was reported. */
  async of(bought: BilledRun): Promise<Cost | undefined> {
    const run = await this.named(bought);
    const { model, text, steps } = run;
    const typical = (await this.learnt(run)) ?? this.typical(run);
    const part = text.trim() === '' ? Math.min(1, (1 + steps) / PARTS) : 1;
    const seen = await this.seen(run);
    if (typical === undefined && seen === undefined) return undefined;
    return {
      currency: 'USD',
      estimated: null,
      reserved: null,
      spent: rounded(Math.max(seen ?? 0, (typical ?? 0) * part)),
      source: this.prices.of(model) ? 'prices' : 'gateway',
    };
  }

  private async named(run: BilledRun): Promise<BilledRun> {
    return run.model !== ''
      ? run
      : { ...run, model: (await this.models.known()).research[0] };
  }

  private async learnt(run: BilledRun): Promise<number | undefined> {
    const cost = await this.redis.hget(KEY, fieldOf(run));
    return cost === null ? undefined : Number(cost);
  }

  private typical({
    engine,
    model,
    background,
  }: BilledRun): number | undefined {
    const isResearch = engine !== 'plain' && background;
    return isResearch ? this.prices.cost(model, TYPICAL) : undefined;
  }

  private async seen({
    id,
    model,
    text,
  }: BilledRun): Promise<number | undefined> {
    if (!this.prices.of(model)) return undefined;
    const { args } = await this.reader.readSome(id, 'args');
    const prompt = args ? researchPrompt(argumentsIn({ args })) : '';
    const factors = this.tokens.factorsOf(model);
    return this.prices.cost(model, {
      input_tokens: tokensOf(prompt, factors),
      output_tokens: tokensOf(text, factors),
    });
  }
}

/** To whole billionths, as all money. */
function rounded(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}

function tokensOf(text: string, factors: TokenFactors): number {
  const tokens = countTokens(text.slice(0, SAMPLE), factors);
  return Math.ceil(tokens * Math.max(1, text.length / SAMPLE));
}

function fieldOf({ engine, model }: BilledRun): string {
  return JSON.stringify([engine, model]);
}
