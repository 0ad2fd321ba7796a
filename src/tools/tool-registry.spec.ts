import { z } from 'zod';
import { loadConfig } from '../config/load-config';
import { defineTool, type ToolOptions } from './tool-definition';
import { ToolRegistry } from './tool-registry';

const registryOf = (off: string, ...tools: Partial<ToolOptions>[]) => {
  const registry = new ToolRegistry(loadConfig({ RELAY_TOOLS_OFF: off }));
  const parameters = z.object({});
  for (const tool of tools) {
    const options = { name: 'a', description: 'Does.', parameters, ...tool };
    registry.register(defineTool(options, {}));
  }
  return registry;
};
const namesOf = (registry: ToolRegistry) =>
  registry.list().map(({ name }) => name);

describe(ToolRegistry.name, () => {
  it.each(['chat', 'ask_user'])(
    'refuses a tool named %s, which is reserved for chats',
    (name) => {
      const registry = new ToolRegistry(loadConfig({}));
      const tool = defineTool(
        { name, description: 'Does.', parameters: z.object({}) },
        {},
      );
      expect(() => registry.register(tool)).toThrow(
        `No tool can be named "${name}", which is reserved for chats: rename it.`,
      );
    },
  );

  it('refuses a second tool of the same name', () => {
    expect(() => registryOf('', { name: 'a' }, { name: 'a' })).toThrow(
      'Two tools are named "a": rename one of them.',
    );
  });

  it('finds tools that are neither listed nor callable: disabled or internal ones', () => {
    const registry = registryOf(
      'files__*,clock',
      { name: 'clock' },
      { name: 'files__read' },
      { name: 'files' },
      { name: 'alarm', internal: true },
    );
    expect(namesOf(registry)).toEqual(['files']);
    for (const name of ['clock', 'files__read', 'alarm']) {
      expect(registry.find(name)).toMatchObject({ name });
      expect(registry.callable(name)).toBeUndefined();
      expect(() => registry.get(name)).toThrow(
        expect.objectContaining({
          code: 'unknown_tool',
          errors: [
            {
              path: 'tool_name',
              message: 'There is no tool of this name. There is: files.',
            },
          ],
        }),
      );
    }
    expect(registry.get('files')).toBe(registry.callable('files'));
  });

  it('disables all tools', () => {
    const registry = registryOf('*', { name: 'a' });
    expect(namesOf(registry)).toEqual([]);
    expect(() => registry.get('a')).toThrow('There are no tools.');
  });

  it('removes a tool, and registers it again', () => {
    const registry = registryOf('', { name: 'a' });
    const tool = registry.get('a');
    registry.unregister('a');
    expect(registry.find('a')).toBeUndefined();
    registry.register(tool);
    expect(registry.get('a')).toBe(tool);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'has no tool named %s',
    (name) => {
      const registry = registryOf('', { name: 'a' });
      expect(registry.find(name)).toBeUndefined();
      expect(() => registry.get(name)).toThrow('There is: a.');
    },
  );
});
