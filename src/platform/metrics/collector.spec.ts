import { MetricsCollector } from './collector';
import { report, type RunEnded } from './facts';
import { MetricsRegistry } from './registry';

describe(MetricsCollector.name, () => {
  let registry: MetricsRegistry;
  let stop: () => void;

  beforeEach(async () => {
    registry = await MetricsRegistry.load();
    stop = new MetricsCollector(registry, ['gpt-4o']).start();
  });
  afterEach(() => stop());

  const samples = async () =>
    (await registry.text())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
  const run = (of: Partial<RunEnded> = {}) =>
    report('run_ended', { kind: 'it', status: 'completed', ...of });

  it('counts nothing any more once it is stopped', async () => {
    run();
    const before = await samples();
    stop();
    run();
    expect(await samples()).toEqual(before);
  });

  it('counts the end of a run with its tokens, its cost and its limits', async () => {
    run({
      engine: 'agent',
      model: 'gpt-4o',
      seconds: 7,
      usage: JSON.stringify({
        input_tokens: 10,
        output_tokens: 5,
        tool_calls: 3,
      }),
      cost: JSON.stringify({ spent: 0.25, source: 'prices' }),
      limitsReached: '["max_pages"]',
    });
    const lines = await samples();
    const of = 'kind="it",engine="agent"';
    expect(lines).toEqual(
      expect.arrayContaining([
        `sonde_runs_ended_total{${of},model="gpt-4o",status="completed",code=""} 1`,
        `sonde_run_duration_seconds_bucket{le="5",${of},status="completed"} 0`,
        `sonde_run_duration_seconds_bucket{le="10",${of},status="completed"} 1`,
        `sonde_run_duration_seconds_bucket{le="+Inf",${of},status="completed"} 1`,
        `sonde_run_duration_seconds_sum{${of},status="completed"} 7`,
        'sonde_tokens_total{kind="it",model="gpt-4o",direction="input"} 10',
        'sonde_tokens_total{kind="it",model="gpt-4o",direction="output"} 5',
        `sonde_upstream_tool_calls_total{${of}} 3`,
        'sonde_cost_usd_total{engine="agent",model="gpt-4o",source="prices"} 0.25',
        'sonde_limits_reached_total{limit="max_pages"} 1',
      ]),
    );
  });

  it('counts the cost of each reply in a chat', async () => {
    const paid = { model: 'gpt-4o', source: 'gateway' };
    report('chat_paid', { ...paid, usd: 0.25 });
    report('chat_paid', { ...paid, usd: 0.5 });
    expect(await samples()).toEqual([
      'sonde_cost_usd_total{engine="chat",model="gpt-4o",source="gateway"} 0.75',
    ]);
  });

  it('names only models that are configured or have answered', async () => {
    const model = 'gpt-4o-2026';
    const failed = { engine: 'responses', model, code: 'model_not_found' };
    report('model_answered', failed);
    report('chat_ended', { model, status: 'failed', seconds: 1 });
    report('purchase_sent', { model });
    run({ model, status: 'failed' });
    expect((await samples()).join()).not.toContain(model);
    report('model_answered', { ...failed, code: undefined });
    report('model_answered', failed);
    expect((await samples()).filter((line) => line.includes(model))).toEqual([
      `sonde_model_answers_total{engine="responses",model="${model}",code=""} 1`,
      `sonde_model_answers_total{engine="responses",model="${model}",code="model_not_found"} 1`,
    ]);
  });

  it.each(['{', 'null', '""', '{"spent":"much"}', '[1]'])(
    'counts a run whose record holds %s, without what cannot be read',
    async (json) => {
      run({ usage: json, cost: json });
      expect(
        (await samples()).filter(
          (line) => !line.startsWith('sonde_runs_ended'),
        ),
      ).toEqual([]);
      expect(await samples()).toHaveLength(1);
    },
  );

  it('keeps the number of series bounded, whatever is named', async () => {
    for (let n = 0; n < 2_000; n += 1) {
      run({ model: `model-${n}` });
      report('run_accepted', { kind: `tool-${n}` });
      report('request_refused', { code: `code-${n}` });
    }
    expect((await samples()).length).toBeLessThan(500);
  });
});
