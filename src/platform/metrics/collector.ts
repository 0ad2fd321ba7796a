import { type FactListeners, listen, type RunEnded } from './facts';
import { LabelValues } from './label-values';
import type { MetricsRegistry } from './registry';

/** Models besides the configured ones that have answered: an endpoint names the exact version of a model. */
const MORE_MODELS = 30;
const MORE_KINDS = 100;
/** Error codes are those of the service, and a few hundred at the most. */
const MORE_NAMES = 300;

interface StoredUsage {
  input_tokens?: number;
  output_tokens?: number;
  tool_calls?: number;
}
interface StoredCost {
  spent?: number;
  source?: string;
}

/** Counts the facts that the service reports. */
export class MetricsCollector {
  private readonly models: LabelValues;
  private readonly kinds = new LabelValues([], MORE_KINDS);
  private readonly names = new LabelValues([], MORE_NAMES);

  /** @param models that are configured. */
  constructor(
    private readonly registry: MetricsRegistry,
    models: Iterable<string>,
  ) {
    this.models = new LabelValues(models, MORE_MODELS);
  }

  /** Returns a function that ends it. */
  start(): () => void {
    return listen(this.listeners());
  }

  private listeners(): FactListeners {
    const { registry } = this;
    const kindOf = (kind: string): string => this.kinds.of(kind);
    const modelOf = (model?: string): string => this.models.find(model);
    const nameOf = (name?: string): string => this.names.of(name);
    return {
      run_accepted: ({ kind }) =>
        registry.add('sonde_runs_accepted_total', 1, kindOf(kind)),
      run_claimed: ({ kind, tookOver, waitedMs }) => {
        if (tookOver) registry.add('sonde_takeovers_total', 1, kindOf(kind));
        if (waitedMs === undefined) return;
        const seconds = Math.max(0, waitedMs) / 1_000;
        registry.observe('sonde_run_wait_seconds', seconds, kindOf(kind));
      },
      run_ended: (run) => this.runEnded(run),
      lease_lost: ({ kind }) =>
        registry.add('sonde_leases_lost_total', 1, kindOf(kind)),
      run_quarantined: ({ kind }) =>
        registry.add('sonde_quarantine_waits_total', 1, kindOf(kind)),
      active_runs: ({ change }) => registry.add('sonde_active_runs', change),
      delivery_repeated: ({ kind }) =>
        registry.add('sonde_delivery_retries_total', 1, kindOf(kind)),
      chat_ended: (chat) => this.runEnded({ kind: 'chat_direct', ...chat }),
      model_answered: ({ engine, model, code, inputTokens, outputTokens }) => {
        if (!code) this.models.of(model);
        registry.add(
          'sonde_model_answers_total',
          1,
          nameOf(engine),
          modelOf(model),
          nameOf(code),
        );
        this.tokens('chat', model, inputTokens, outputTokens);
      },
      chat_paid: ({ model, usd, source }) =>
        registry.add(
          'sonde_cost_usd_total',
          usd,
          'chat',
          this.models.of(model),
          nameOf(source),
        ),
      engine_replaced: ({ from, to, model }) =>
        registry.add(
          'sonde_engine_fallbacks_total',
          1,
          nameOf(from),
          nameOf(to),
          modelOf(model),
        ),
      purchase_sent: ({ model }) =>
        registry.add('sonde_purchases_sent_total', 1, modelOf(model)),
      purchase_settled: ({ outcome }) =>
        registry.add('sonde_purchases_settled_total', 1, outcome),
      polled: () => registry.add('sonde_polls_total', 1),
      upstream_retried: ({ code }) =>
        registry.add('sonde_upstream_retries_total', 1, nameOf(code)),
      followers: ({ change }) => registry.add('sonde_followers', change),
      request_refused: ({ code }) =>
        registry.add('sonde_requests_refused_total', 1, nameOf(code)),
      limit_hit: ({ limit }) =>
        registry.add('sonde_limit_hits_total', 1, nameOf(limit)),
    };
  }

  private runEnded(run: RunEnded): void {
    const { registry } = this;
    const { status, seconds } = run;
    const kind = this.kinds.of(run.kind);
    const engine = this.names.of(run.engine);
    const hasAnswered = status === 'completed' || status === 'incomplete';
    if (hasAnswered) this.models.of(run.model);
    const model = this.models.find(run.model);
    const code = this.names.of(run.code);
    const labels = [kind, engine, model, status, code];
    registry.add('sonde_runs_ended_total', 1, ...labels);
    if (seconds !== undefined) {
      const name = 'sonde_run_duration_seconds';
      registry.observe(name, Math.max(0, seconds), kind, engine, status);
    }
    const usage = parsed<StoredUsage>(run.usage);
    this.tokens(kind, run.model, usage?.input_tokens, usage?.output_tokens);
    if (usage?.tool_calls) {
      const name = 'sonde_upstream_tool_calls_total';
      registry.add(name, usage.tool_calls, kind, engine);
    }
    const { spent, source } = parsed<StoredCost>(run.cost) ?? {};
    if (spent !== undefined)
      registry.add(
        'sonde_cost_usd_total',
        spent,
        engine,
        model,
        this.names.of(source),
      );
    for (const limit of parsed<string[]>(run.limitsReached) ?? [])
      registry.add('sonde_limits_reached_total', 1, this.names.of(limit));
  }

  private tokens(
    kind: string,
    model: string | undefined,
    input = 0,
    output = 0,
  ): void {
    const name = 'sonde_tokens_total';
    const of = this.models.find(model);
    if (input > 0) this.registry.add(name, input, kind, of, 'input');
    if (output > 0) this.registry.add(name, output, kind, of, 'output');
  }
}

/** A listener never throws, whatever an older process has written. */
function parsed<T>(json: string | undefined): T | undefined {
  if (!json) return undefined;
  try {
    return (JSON.parse(json) as T | null) ?? undefined;
  } catch {
    return undefined;
  }
}
