import { z } from 'zod';
import { namedModels } from '../../../test/support/upstream/named-models';
import { loadConfig } from '../../config/load-config';
import type { Scopes } from '../../platform/auth/scopes';
import { AppError } from '../../platform/errors';
import { defineTool } from '../../tools/tool-definition';
import { ToolRegistry } from '../../tools/tool-registry';
import { Agents } from '../turns/chat-agents';
import { ChatOptions } from './chat-options';

describe(ChatOptions.name, () => {
  const config = loadConfig({});
  const registry = new ToolRegistry(config);
  for (const name of ['sign_for', 'pay_for'])
    registry.register(
      defineTool(
        {
          name,
          description: 'Does.',
          parameters: z.object({}),
          context: z.object({ member: z.int() }),
        },
        {},
      ),
    );
  const options = new ChatOptions(
    config,
    new Agents(config, namedModels(config)),
    registry,
  );
  const faultsFor = (scopes: Scopes): string[] => {
    const tool_context = { member: 'none' };
    try {
      options.check({ message: 'Hello', tool_context }, scopes);
    } catch (error) {
      return (error as AppError).errors!.map(({ message }) => message);
    }
    return [];
  };

  it('names of the tools that a wrong context does not fit those that the key may call', () => {
    expect(faultsFor(undefined)).toEqual([
      expect.stringContaining('sign_for'),
      expect.stringContaining('pay_for'),
    ]);
    expect(faultsFor(['chat', 'tools:pay_for'])).toEqual([
      expect.stringContaining('pay_for'),
    ]);
    expect(faultsFor(['chat'])).toEqual([]);
  });
});
