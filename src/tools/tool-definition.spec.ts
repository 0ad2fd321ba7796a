import { z } from 'zod';
import type { ToolContext } from './tool';
import { contextFaults } from './schemas/context-schema';
import { defineTool, type ToolOptions } from './tool-definition';
import { ToolError } from './tool-error';

const OPTIONS: ToolOptions = {
  name: 'weather',
  description: 'Tells the weather.',
  parameters: z.object({ city: z.string(), unit: z.string().default('C') }),
};
const context = {} as ToolContext;

describe(defineTool.name, () => {
  it('uses cautious defaults', () => {
    expect(defineTool(OPTIONS, {})).toEqual({
      name: 'weather',
      description: 'Tells the weather.',
      source: 'builtin',
      argumentsSchema: expect.any(z.ZodObject),
      parameters: expect.any(Object),
      offered: expect.any(Object),
      annotations: {},
      returnDirect: false,
      onError: 'tell',
    });
  });

  it('describes all arguments to callers, and the strict form to models', () => {
    const { parameters, offered } = defineTool(OPTIONS, {});
    expect(parameters).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { type: 'string', default: 'C' },
      },
      required: ['city'],
      additionalProperties: false,
    });
    expect(offered).toMatchObject({
      name: 'weather',
      description: 'Tells the weather.',
      parameters: { required: ['city', 'unit'], additionalProperties: false },
    });
  });

  it('hides hidden arguments from models, while callers may pass them', () => {
    const tool = defineTool({ ...OPTIONS, hidden: ['unit'] }, {});
    expect(tool.offered.parameters).toMatchObject({ required: ['city'] });
    expect(JSON.stringify(tool.offered)).not.toContain('unit');
    expect(tool.parameters).toHaveProperty('properties.unit');
    const args = { city: 'Seoul', unit: 'F' };
    expect(tool.argumentsSchema.parse(args)).toEqual(args);
  });

  it('runs with what its schema reads of the context, and not without it', async () => {
    const seen: unknown[] = [];
    const tool = defineTool(
      { ...OPTIONS, context: z.object({ id: z.int(), zone: z.string() }) },
      {
        run: (_, { toolContext }) => Promise.resolve(seen.push(toolContext)),
      },
    );
    const toolContext = { id: 7, zone: 'Asia/Seoul', more: 1 };
    await tool.run!({}, { ...context, toolContext });
    expect(seen).toEqual([{ id: 7, zone: 'Asia/Seoul' }]);
    const { contextSchema } = defineTool(
      { ...OPTIONS, context: z.object({ zone: z.string().optional() }) },
      {},
    );
    expect(contextFaults({ contextSchema }, { zone: null })).toEqual([]);
    expect(contextFaults(tool, { id: null, zone: 'x' })).toMatchObject([
      { path: 'tool_context.id', isMissing: true },
    ]);
    for (const [given, named] of [
      [undefined, 'tool_context.id, tool_context.zone'],
      [{ id: '7', zone: 'x' }, 'tool_context.id'],
    ] as const)
      await expect(
        tool.run!({}, { ...context, toolContext: given }),
      ).rejects.toMatchObject({
        code: 'CONTEXT_REQUIRED',
        message: `The request does not have what the tool needs: ${named}.`,
      });
    expect(seen).toHaveLength(1);
  });

  it('never returns a result that does not match its schema', async () => {
    const results = ['Sunny.', { sky: 'blue', more: 1 }, { sky: 7 }];
    const tool = defineTool(
      { ...OPTIONS, returns: z.object({ sky: z.string() }) },
      { run: () => Promise.resolve(results.shift()) },
    );
    expect(tool.returns).toHaveProperty('properties.sky');
    const refusal = {
      name: ToolError.prototype.constructor.name,
      code: 'INVALID_RESULT',
    };
    await expect(tool.run!({}, context)).rejects.toMatchObject(refusal);
    await expect(tool.run!({}, context)).resolves.toEqual({ sky: 'blue' });
    await expect(tool.run!({}, context)).rejects.toMatchObject(refusal);
  });

  it.each<[string, object]>([
    [
      'has a name that is not 1 to 64 letters, digits, _ or -: rename it',
      { name: 'the weather' },
    ],
    [
      'has a name that is not 1 to 64 letters, digits, _ or -: rename it',
      { name: 'a'.repeat(65) },
    ],
    [
      'has a name that is not 1 to 64 letters, digits, _ or -: rename it',
      { name: undefined },
    ],
    [
      'has no description: describe what it does and when to call it',
      { description: ' \n' },
    ],
    [
      'has no description: describe what it does and when to call it',
      { description: undefined },
    ],
    [
      'has parameters that are not a z.object(…): make them one',
      { parameters: z.string() },
    ],
    ['has a context that is not a z.object(…): make it one', { context: {} }],
    [
      'has parameters that are not a z.object(…): make them one',
      { parameters: { city: 'string' } },
    ],
    [
      'has parameters that cannot be described to a model (where[]: it has no type): describe every value with a type that JSON has',
      { parameters: z.object({ where: z.array(z.any()) }) },
    ],
    [
      'has parameters that cannot be described to a model (Date cannot be represented in JSON Schema): describe every value with a type that JSON has',
      { parameters: z.object({ when: z.date() }) },
    ],
    [
      'has a result that cannot be described (Date cannot be represented in JSON Schema): describe every value with a type that JSON has',
      { returns: z.object({ when: z.date() }) },
    ],
  ])('says in one sentence that it %s', (fault, change) => {
    const { name } = { ...OPTIONS, ...change };
    expect(() =>
      defineTool({ ...OPTIONS, ...change } as ToolOptions, {}),
    ).toThrow(new Error(`The tool "${name}" ${fault}.`));
  });
});
