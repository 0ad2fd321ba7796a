import { countTokens } from '../../../llm/tokens/count-tokens';
import {
  AgentWorld,
  researchTask,
} from '../../../../test/support/agent/agent-world';
import { MemoryJournal } from '../../../../test/support/agent/memory-journal';
import { research } from '../agent';
import { narrowed } from '../prompts/prompt';

interface Schema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
}

/** The longest answer that a grammar of the schema allows, as a model that repeats itself gives it. */
function filled(schema: Schema): unknown {
  const { type, properties = {}, items, maxItems = 1, maxLength = 1 } = schema;
  if (schema.enum) return schema.enum[0];
  if (type === 'integer') return 1;
  if (type === 'boolean') return false;
  if (type === 'string') return 'n1 '.repeat(400).slice(0, maxLength);
  if (type === 'array')
    return Array.from({ length: maxItems }, () => filled(items!));
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([key, one]) => [key, filled(one)]));
}

describe('a model that fills all that its schema allows', () => {
  it.each([4_096, 8_192])(
    'comes to an end in every role within a context of %i',
    async (contextTokens) => {
      const factors = { cjk: 1, other: 1 };
      const world = new AgentWorld({
        contextTokens,
        ports: {
          complete: {
            complete: async ({ schema, maxTokens }) => {
              const text = JSON.stringify(filled(schema!.schema));
              const tokens = countTokens(text, factors);
              const isCut = tokens > maxTokens;
              return {
                text: isCut ? text.slice(0, maxTokens) : text,
                finish: isCut ? 'length' : 'stop',
                usage: {
                  input_tokens: 1_000,
                  output_tokens: Math.min(tokens, maxTokens),
                },
              };
            },
          },
        },
      });
      const report = await research(
        researchTask({}, { depth: 'quick', verify: 'off' }),
        new MemoryJournal(),
        world.ports,
        new AbortController().signal,
      );
      expect(report).toMatchObject({ status: 'completed', limitsReached: [] });
      expect(report.evidence.failed).toEqual([]);
    },
  );
});

describe(narrowed.name, () => {
  it('keeps what has to be there, and the bounds of names and tags', () => {
    const schema = {
      properties: {
        maxItems: { type: 'string', maxLength: 20 },
        claims: {
          type: 'array',
          items: { type: 'string', maxLength: 600 },
          minItems: 10,
          maxItems: 25,
        },
      },
    };
    expect(narrowed(schema, 1)).toEqual(schema);
    expect(narrowed(schema, 0.25)).toMatchObject({
      properties: {
        maxItems: { maxLength: 20 },
        claims: { items: { maxLength: 150 }, minItems: 10, maxItems: 10 },
      },
    });
  });
});
