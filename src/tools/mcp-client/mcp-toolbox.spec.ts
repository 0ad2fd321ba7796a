import { Logger } from '@nestjs/common';
import type { McpServerConfig } from '../../config/files/mcp-file';
import { loadConfig } from '../../config/load-config';
import { ToolRegistry } from '../tool-registry';
import { endpoint } from '../../../test/support/mcp/mcp-stand';
import type { McpConnection } from './mcp-connection';
import { McpToolbox } from './mcp-toolbox';

const SCHEMA = { type: 'object', properties: { n: { type: 'number' } } };
const READS = {
  name: 'read',
  description: 'Reads.',
  inputSchema: SCHEMA,
  annotations: { readOnlyHint: true },
};

describe('approval of the tools of a server', () => {
  let warnings: jest.SpyInstance;
  beforeEach(() => {
    warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
  });
  afterEach(() => jest.restoreAllMocks());

  const boxOf = (more: Partial<McpServerConfig> = {}) => {
    const registry = new ToolRegistry(loadConfig({}));
    const box = new McpToolbox(
      endpoint('http://127.0.0.1:1/', more),
      {} as McpConnection,
      registry,
    );
    const asks = (name: string): boolean => {
      const { trusted, needsApproval, annotations } = registry.get(
        `here__${name}`,
      );
      return (
        !trusted && (annotations.destructiveHint === true || !!needsApproval)
      );
    };
    return { box, asks };
  };

  it.each([
    [undefined, true],
    [{}, true],
    [{ title: 'Reads' }, true],
    [{ readOnlyHint: 'yes' }, true],
    [{ idempotentHint: true }, true],
    [{ readOnlyHint: false }, true],
    [{ destructiveHint: true }, true],
    [{ readOnlyHint: true, destructiveHint: true }, true],
    [{ readOnlyHint: true }, false],
    [{ destructiveHint: false }, false],
  ])('with the hints %j is needed: %s', (annotations, needed) => {
    const { box, asks } = boxOf();
    box.replace([{ name: 'a', inputSchema: SCHEMA, annotations }]);
    expect(asks('a')).toBe(needed);
  });

  it.each([
    [['a'], true, false],
    [['*'], false, false],
    [['c'], true, true],
  ])('is not needed where the operator trusts %j', (trusted, b, a) => {
    const { box, asks } = boxOf({ trusted });
    const inputSchema = SCHEMA;
    box.replace([
      { name: 'a', inputSchema },
      { name: 'b', inputSchema, annotations: { destructiveHint: true } },
    ]);
    expect([asks('b'), asks('a')]).toEqual([b, a]);
  });

  it.each([
    ['its hints', { annotations: { readOnlyHint: true, openWorldHint: true } }],
    ['its arguments', { inputSchema: { ...SCHEMA, required: ['n'] } }],
    ['its result', { outputSchema: { type: 'object' } }],
    ['what it says of itself', { description: 'Reads, and sends it on.' }],
  ])('is needed anew once a tool has changed %s', (_, change) => {
    const { box, asks } = boxOf({ trusted: ['*'] });
    box.replace([READS]);
    expect(asks('read')).toBe(false);
    box.replace([{ ...READS, ...change }]);
    expect(asks('read')).toBe(true);
    expect(warnings).toHaveBeenCalledTimes(1);
    expect(warnings).toHaveBeenCalledWith(
      'The tool "read" has changed: its calls need approval until the next start',
    );
    box.replace([]);
    box.replace([{ ...READS, ...change }]);
    expect(asks('read')).toBe(true);
    box.replace([READS]);
    expect(asks('read')).toBe(false);
  });

  it('is not needed for the same list in another order', () => {
    const { box, asks } = boxOf();
    box.replace([READS]);
    const { name, ...rest } = READS;
    const properties = { n: { type: 'number' } };
    box.replace([
      { ...rest, inputSchema: { properties, type: 'object' }, name },
    ]);
    expect(asks('read')).toBe(false);
    expect(warnings).not.toHaveBeenCalled();
  });
});
