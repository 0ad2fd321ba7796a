import { HostileServer } from '../../../test/support/mcp/mcp-hostile';
import { endpoint, McpStand } from '../../../test/support/mcp/mcp-stand';
import { parseArguments } from '../schemas/parse-arguments';

const object = { type: 'object' };
const done = [{ type: 'text', text: 'Done' }];

describe('a server with invalid tool definitions', () => {
  let server: HostileServer;
  let stand: McpStand | undefined;

  afterEach(async () => {
    await stand?.close();
    await server.stop();
  });

  async function list(...pages: unknown[][]): Promise<McpStand> {
    server = await HostileServer.start(...pages);
    stand = await McpStand.start(endpoint(server.url));
    return stand;
  }

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'tool'],
    ['no name', { inputSchema: object }],
    ['an empty name', { name: '', inputSchema: object }],
    ['no schema', { name: 'a' }],
    ['null for a schema', { name: 'a', inputSchema: null }],
    ['a list for a schema', { name: 'a', inputSchema: [] }],
    ['a schema of a text', { name: 'a', inputSchema: { type: 'string' } }],
    [
      'a megabyte',
      { name: 'a', description: 'x'.repeat(1e6), inputSchema: object },
    ],
    [
      'tasks only',
      {
        name: 'a',
        inputSchema: object,
        execution: { taskSupport: 'required' },
      },
    ],
  ])('costs only the tool that is %s', async (_, entry) => {
    const { names, lines } = await list([
      entry,
      { name: 'good', inputSchema: object },
    ]);
    expect(names).toEqual(['here__good']);
    expect(lines.filter((line) => line.startsWith('Skipped'))).toHaveLength(1);
  });

  it.each<[string, object, object]>([
    ['an unknown type', { a: { type: 'banana' } }, { a: 1 }],
    ['a reference to nothing', { a: { $ref: '#/$defs/none' } }, { a: 1 }],
    ['a reference to elsewhere', { a: { $ref: 'https://a.b/c' } }, { a: 1 }],
    ['no end', { a: { $ref: '#/$defs/a' } }, { a: 1 }],
    ['a bad pattern', { a: { type: 'string', pattern: '(' } }, { a: 'a' }],
    [
      'a pattern that takes years',
      { a: { type: 'string', pattern: '^(a+)+$' } },
      { a: `${'a'.repeat(50)}!` },
    ],
  ])(
    'leaves the validation to the server where a schema has %s',
    async (_, properties, args) => {
      const $defs = { a: { $ref: '#/$defs/a' } };
      const inputSchema = { type: 'object', properties, $defs };
      const { names, tool } = bound(await list([{ name: 'a', inputSchema }]));
      expect(names).toEqual(['here__a']);
      expect(parseArguments(tool('here__a'), { ...args })).toEqual(args);
    },
  );

  it('refuses what a supported schema refuses', async () => {
    const properties = { pattern: { type: 'string' }, b: { type: 'integer' } };
    const inputSchema = { type: 'object', properties, required: ['pattern'] };
    const { tool } = bound(await list([{ name: 'a', inputSchema }]));
    const parse = (args: Record<string, unknown>) =>
      parseArguments(tool('here__a'), args);
    expect(parse({ pattern: 'a', c: 1 })).toEqual({ pattern: 'a', c: 1 });
    expect(() => parse({ b: 1 })).toThrow('not valid');
    expect(() => parse({ pattern: 'a', b: 'one' })).toThrow('not valid');
  });

  it('passes a schema unchanged where it cannot be made strict', async () => {
    const inputSchema = { type: 'object', additionalProperties: true };
    const { tool } = bound(await list([{ name: 'a', inputSchema }]));
    expect(tool('here__a').offered).toMatchObject({
      strict: false,
      parameters: inputSchema,
    });
  });

  it('gets a default description', async () => {
    const entry = { name: 'a', description: 7, inputSchema: object };
    const { tool } = bound(await list([entry]));
    expect(tool('here__a').description).toBe(
      'The tool "a" of the server "here".',
    );
  });

  it('gets unique names that models can call', async () => {
    const names = ['a.b/c', 'a_b_c', 'é', 'x'.repeat(100), 'x'.repeat(101)];
    const entries = names.map((name) => ({ name, inputSchema: object }));
    const found = await list(entries);
    expect(found.names).toEqual([
      'here__a_b_c',
      'here___',
      expect.stringMatching(/^here__x{49}_[0-9a-f]{8}$/),
      expect.stringMatching(/^here__x{49}_[0-9a-f]{8}$/),
    ]);
    expect(await found.run(found.names[0])).toEqual(done);
  });

  it('is listed page by page, up to a limit', async () => {
    const pages = Array.from({ length: 100 }, (_, n) => [
      { name: `t${n}`, inputSchema: object },
    ]);
    expect((await list(...pages)).names).toHaveLength(64);
  });
});

/** So that they can be taken apart. */
function bound(stand: McpStand) {
  return { names: stand.names, tool: (name: string) => stand.tool(name) };
}
