import { allowsRoute, allowsTool, checkRoute, checkTool } from './scopes';

describe('the scopes of a key', () => {
  it('allow all but administration where there are none', () => {
    expect(allowsRoute(undefined, 'tools')).toBe(true);
    expect(allowsRoute(undefined, 'admin')).toBe(false);
    expect(allowsTool(undefined, 'deep_research')).toBe(true);
  });

  it.each([
    [[], 'any', true],
    [[], 'read', false],
    [['admin'], 'read', false],
    [['read'], 'read', true],
    [['research'], 'tools', true],
    [['tools:calculate'], 'tools', true],
    [['tools:*'], 'research', false],
    [['chat', 'read'], 'tools', false],
  ] as const)('of %j open a route of %s: %p', (scopes, route, expected) => {
    expect(allowsRoute(scopes, route)).toBe(expected);
  });

  it.each([
    [['research'], 'deep_research', true],
    [['tools:*'], 'deep_research', false],
    [['tools:deep_research'], 'deep_research', false],
    [['tools:*'], 'calculate', true],
    [['tools:calculate'], 'calculate', true],
    [['tools:calc'], 'calculate', false],
    [['research'], 'calculate', false],
  ] as const)('of %j allow the tool %s: %p', (scopes, tool, expected) => {
    expect(allowsTool(scopes, tool)).toBe(expected);
  });

  it('are named where they lack', () => {
    expect(() => checkRoute(['read'], 'tools')).toThrow(
      'the scope research or tools:<name>.',
    );
    expect(() => checkTool(['read'], 'calculate')).toThrow(
      'the scope tools:calculate.',
    );
  });
});
