import { z } from 'zod';
import { namedModels } from '../../../test/support/upstream/named-models';
import { loadConfig } from '../../config/load-config';
import type { Scopes } from '../../platform/auth/scopes';
import { AppError } from '../../platform/errors';
import { defineTool } from '../../tools/tool-definition';
import { ToolRegistry } from '../../tools/tool-registry';
import type { ChatRequest } from '../dto/chat.dto';
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
  const faultsFor = (
    scopes: Scopes,
    request: Partial<ChatRequest> = { tool_context: { member: 'none' } },
  ): string[] => {
    try {
      options.check({ message: 'Hello', ...request }, scopes);
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

  it.each<[string, Partial<ChatRequest>]>([
    ['tools', { tools: ['pay'] }],
    ['tool_choice', { tool_choice: { name: 'pay' } }],
  ])(
    'names of the tools in place of an unknown one in %s those that the key may call',
    (_, request) => {
      // A tool that reads a context is offered with it alone.
      const given = { ...request, tool_context: { member: 7 } };
      const named = (scopes: Scopes): string =>
        faultsFor(scopes, given).join().split('available: ')[1];
      expect(named(undefined)).toBe('sign_for, pay_for');
      expect(named(['chat', 'tools:pay_for'])).toBe('pay_for');
      expect(named(['chat'])).toBe('none');
    },
  );

  it('takes a function that has the name of a tool that the key may not call', () => {
    const functions = [{ name: 'pay_for' }];
    const given = { functions, tool_context: { member: 7 } };
    expect(faultsFor(undefined, given)).toHaveLength(1);
    expect(faultsFor(['chat'], given)).toEqual([]);
  });
});
