import { engineChoice } from '../../test/support/engine-choice';
import { priceFile } from '../../test/support/price-table';
import { loadConfig } from '../config/load-config';
import { AppError } from '../platform/errors';
import { ModelCatalog } from '../llm/models/model-catalog';
import { ModelChoice } from '../llm/models/model-choice';
import { UpstreamClient } from '../llm/upstream/upstream.client';
import { EngineChoice } from './engine-choice';
import type { ResearchArguments } from './arguments/research-arguments';

const RESEARCH = 'o3-deep-research';
const REASONING = 'gpt-5.5';
const SEARCHING = 'sonar-pro';
const PLAIN = 'llama-4';

type Scope = 'public' | 'private';
const BOTH: Scope[] = ['public', 'private'];

const engines = (
  model: string,
  scopes: Scope[] = [],
  env: Record<string, string> = {},
): EngineChoice => {
  const config = loadConfig({
    LITELLM_BASE_URL: 'http://127.0.0.1:1',
    LITELLM_MODEL: model,
    ...env,
  });
  const catalog = new ModelCatalog(new UpstreamClient(config));
  const models = new ModelChoice(catalog, config);
  return engineChoice(models, config, {
    has: (scope) => scopes.includes(scope),
  });
};
const refusal = (choice: EngineChoice, wishes: Partial<ResearchArguments>) => {
  try {
    return choice.choose(wishes);
  } catch (error) {
    return (error as AppError).errors?.map(({ path }) => path).join();
  }
};

describe(EngineChoice.name, () => {
  it.each<[string, Scope[], string]>([
    [RESEARCH, [], 'hosted'],
    [RESEARCH, BOTH, 'hosted'],
    [REASONING, ['public'], 'hosted'],
    [SEARCHING, ['public'], 'hosted'],
    [PLAIN, ['public'], 'agent'],
    [PLAIN, ['private'], 'agent'],
    [PLAIN, [], 'plain'],
  ])(
    'takes for %s, with %j to search, the engine %s',
    (model, scopes, engine) => {
      const choice = engines(model, scopes);
      expect(choice.choose({})).toBe(engine);
      expect(choice.choose({ engine: 'auto' })).toBe(engine);
      expect(choice.summary).toBe(`engine: ${engine} (auto)`);
      expect(choice.fault).toBeUndefined();
    },
  );

  it.each<[ResearchArguments['engine'], string, Scope[], string]>([
    ['agent', RESEARCH, ['public'], 'agent'],
    ['agent', RESEARCH, [], 'arguments.engine'],
    ['agent', PLAIN, [], 'arguments.engine'],
    ['hosted', RESEARCH, BOTH, 'hosted'],
    ['hosted', PLAIN, BOTH, 'arguments.engine'],
    ['plain', PLAIN, BOTH, 'plain'],
    ['plain', REASONING, BOTH, 'plain'],
    ['plain', RESEARCH, BOTH, 'arguments.engine'],
    ['plain', SEARCHING, BOTH, 'arguments.engine'],
  ])(
    'asked for %s of %s, with %j to search, answers %s',
    (engine, model, scopes, answer) => {
      expect(refusal(engines(model, scopes), { engine })).toBe(answer);
    },
  );

  it.each<[ResearchArguments['data_sources'], Scope[], string]>([
    ['web', ['public'], 'agent'],
    ['web', ['private'], 'arguments.data_sources'],
    ['private', ['private'], 'agent'],
    ['private', ['public'], 'arguments.data_sources'],
    ['web_then_private', BOTH, 'agent'],
    ['web_then_private', ['public'], 'arguments.data_sources'],
    ['web_and_private', BOTH, 'arguments.data_sources'],
  ])(
    'lets the agent use %s only of what it can search: %j',
    (data_sources, scopes, answer) => {
      expect(
        refusal(engines(PLAIN, scopes), { data_sources, engine: 'agent' }),
      ).toBe(answer);
    },
  );

  it('leaves to the agent what the research model cannot do', () => {
    const wishes = { data_sources: 'private' as const };
    expect(engines(REASONING, BOTH).choose(wishes)).toBe('agent');
    expect(refusal(engines(REASONING), wishes)).toBe('arguments.data_sources');
    const text_format = {
      type: 'json_schema' as const,
      name: 'x',
      schema: {},
      strict: true,
    };
    expect(engines(RESEARCH, BOTH).choose({ text_format })).toBe('agent');
    expect(refusal(engines(RESEARCH), { text_format })).toBe(
      'arguments.text_format.type',
    );
  });

  describe('a budget', () => {
    const { path, remove } = priceFile({
      [PLAIN]: { inputPerMillion: 1, outputPerMillion: 1 },
    });
    afterAll(remove);
    const searches = { budget: { max_searches: 3 } };
    const money = { budget: { max_cost_usd: 1 } };

    it.each<
      [
        string,
        Scope[],
        Partial<ResearchArguments>,
        string,
        Record<string, string>,
      ]
    >([
      [
        'the agent with the prices of its models',
        BOTH,
        money,
        'agent',
        { RELAY_PRICES_CONFIG: path },
      ],
      [
        'no agent without them',
        BOTH,
        money,
        'arguments.budget.max_cost_usd',
        {},
      ],
      [
        'no agent that was asked for without them',
        BOTH,
        { ...money, engine: 'agent' },
        'arguments.budget.max_cost_usd',
        {},
      ],
      [
        'no agent one of whose models has no price',
        BOTH,
        money,
        'arguments.budget.max_cost_usd',
        { RELAY_PRICES_CONFIG: path, RELAY_AGENT_MODELS: 'critic:other' },
      ],
      ['the agent for other limits', BOTH, searches, 'agent', {}],
      [
        'nothing without anything to search',
        [],
        searches,
        'arguments.budget',
        {},
      ],
      [
        'no plain turn',
        BOTH,
        { ...searches, engine: 'plain' },
        'arguments.budget',
        {},
      ],
      [
        'no hosted run',
        BOTH,
        { ...searches, engine: 'hosted' },
        'arguments.budget',
        {},
      ],
      ['a plain turn where it limits nothing', [], { budget: {} }, 'plain', {}],
    ])('takes %s', (_, scopes, wishes, answer, env) => {
      expect(refusal(engines(PLAIN, scopes, env), wishes)).toBe(answer);
    });

    it('takes the agent rather than a model that searches by itself', () => {
      expect(engines(RESEARCH, BOTH).choose(searches)).toBe('agent');
      expect(refusal(engines(RESEARCH), searches)).toBe('arguments.budget');
    });
  });

  describe('what only the agent does', () => {
    const wishes: [string, Partial<ResearchArguments>][] = [
      ['depth', { depth: 'quick' }],
      ['depth', { depth: 'deep' }],
      ['verify', { verify: 'rules' }],
      ['verify', { verify: 'check' }],
      ['verify', { verify: 'enforce' }],
      ['budget', { budget: { max_seconds: 60 } }],
      ['plan', { plan: 'review' }],
    ];
    const models = [RESEARCH, REASONING, SEARCHING, PLAIN];

    it.each(wishes)('%s: %j selects the agent', (_, wish) => {
      for (const model of models) {
        expect(engines(model, BOTH).choose(wish)).toBe('agent');
        const asked = { ...wish, engine: 'auto' as const };
        expect(engines(model, BOTH).choose(asked)).toBe('agent');
      }
    });

    it.each(wishes)(
      '%s: %j is refused by name where the agent does not carry the run',
      (name, wish) => {
        const path = `arguments.${name}`;
        for (const model of models) {
          expect(refusal(engines(model), wish)).toBe(path);
          for (const engine of ['hosted', 'plain'] as const) {
            const asked = { ...wish, engine };
            expect(refusal(engines(model, BOTH), asked)).toBe(path);
            const env = { RELAY_RESEARCH_ENGINE: engine };
            expect(refusal(engines(model, BOTH, env), wish)).toBe(path);
          }
        }
      },
    );

    it('is nothing that every engine does', () => {
      const any: Partial<ResearchArguments> = {
        depth: 'auto',
        verify: 'off',
        plan: 'auto',
        budget: {},
      };
      expect(engines(RESEARCH, BOTH).choose(any)).toBe('hosted');
      expect(engines(PLAIN).choose(any)).toBe('plain');
    });
  });

  it('warns where nothing can search, unless that is configured', () => {
    expect(engines(PLAIN, []).caveat).toContain('RELAY_SEARCH is not set');
    expect(engines(PLAIN, BOTH).caveat).toBeUndefined();
    expect(engines(RESEARCH, []).caveat).toBeUndefined();
    const env = { RELAY_RESEARCH_ENGINE: 'plain' };
    expect(engines(PLAIN, [], env).caveat).toBeUndefined();
  });

  it('follows the configuration unless the request names an engine, and reports what it cannot do', () => {
    const env = { RELAY_RESEARCH_ENGINE: 'agent' };
    expect(engines(RESEARCH, ['public'], env).choose({})).toBe('agent');
    expect(engines(RESEARCH, ['public'], env).choose({ engine: 'auto' })).toBe(
      'hosted',
    );
    expect(engines(RESEARCH, [], env).fault).toContain('RELAY_SEARCH');
    expect(
      engines(RESEARCH, [], { RELAY_RESEARCH_ENGINE: 'plain' }).fault,
    ).toContain('plain');
    // A model without search is no fault of a request that does not insist on one.
    expect(
      engines(PLAIN, BOTH, { RELAY_RESEARCH_ENGINE: 'hosted' }).choose({}),
    ).toBe('plain');
  });

  it.each<[string, Scope[], ResearchArguments['engine'], string]>([
    [RESEARCH, BOTH, undefined, 'agent'],
    [RESEARCH, BOTH, 'auto', 'agent'],
    [PLAIN, ['private'], 'agent', 'agent'],
    [PLAIN, [], 'auto', 'arguments.plan'],
    [PLAIN, [], 'agent', 'arguments.engine'],
    [RESEARCH, BOTH, 'hosted', 'arguments.plan'],
    [PLAIN, BOTH, 'plain', 'arguments.plan'],
  ])(
    'has a plan reviewed with %s, with %j to search and engine %s: %s',
    (model, scopes, engine, expected) => {
      const wishes = { plan: 'review', engine } as const;
      const choice = engines(model, scopes);
      const path = expected.startsWith('arguments');
      expect(path ? refusal(choice, wishes) : choice.choose(wishes)).toBe(
        expected,
      );
    },
  );

  it('lets no plan be reviewed where another engine is configured', () => {
    const env = { RELAY_RESEARCH_ENGINE: 'hosted' };
    const choice = engines(RESEARCH, BOTH, env);
    expect(refusal(choice, { plan: 'review' })).toBe('arguments.plan');
    expect(choice.choose({ plan: 'auto' })).toBe('hosted');
  });
});
