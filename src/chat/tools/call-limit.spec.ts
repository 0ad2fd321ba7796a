import { z } from 'zod';
import { loadConfig } from '../../config/load-config';
import { deepResearch } from '../../research/arguments/research-arguments';
import { defineTool } from '../../tools/tool-definition';
import { CallLimit } from './call-limit';
import type { CompletedToolCall } from '../turns/tool-call';
import type { ChatRequest } from '../dto/chat.dto';

const research = defineTool(deepResearch, {});
const look = defineTool(
  {
    name: 'look',
    description: 'Looks.',
    parameters: z.object({ at: z.string(), far: z.boolean().default(false) }),
    annotations: { idempotentHint: true },
  },
  {},
);
const { tools } = loadConfig({});
const completed = (invocation: object | null = { id: 'inv_1' }) =>
  Promise.resolve({ invocation } as CompletedToolCall);
const requesting = (research_question: string, more = {}) => ({
  tool: research,
  arguments: { research_question, ...more },
});

describe(CallLimit.name, () => {
  it.each([
    [
      requesting('The history of kimchi?'),
      requesting('  the history\n of  KIMCHI'),
    ],
    [
      requesting('q'),
      requesting('q', { context: null, require_citations: true }),
    ],
    [
      requesting('q', {
        deliverable_format: 'markdown_report',
        context: ['a'],
      }),
      requesting('q', { context: ['A.'], deliverable_format: null }),
    ],
    [
      { tool: look, arguments: { at: 'a' } },
      { tool: look, arguments: { far: false, at: 'a' } },
    ],
  ])('finds the earlier result of an equal call: %j', (call, other) => {
    const request = { deliverable_format: 'markdown_report' } as const;
    const limit = new CallLimit(tools, request);
    const first = completed();
    limit.record(call, first);
    expect(limit.earlier(other)).toBe(first);
  });

  it.each([
    [requesting('The history of kimchi'), requesting('The history of gimbap')],
    [
      requesting('q'),
      requesting('q', { deliverable_format: 'markdown_brief' }),
    ],
    [requesting('q'), requesting('q', { constraints: ['a'] })],
    [
      { tool: look, arguments: { at: 'a' } },
      { tool: look, arguments: { at: 'A' } },
    ],
  ])('finds no result for a different call: %j', (call, other) => {
    const request = { deliverable_format: 'markdown_report' } as const;
    const limit = new CallLimit(tools, request);
    limit.record(call, completed());
    expect(limit.earlier(other)).toBeUndefined();
  });

  it.each<[ChatRequest, number]>([
    [{}, 3],
    [{ max_research: 1 }, 1],
    [{ max_research: 0 }, 0],
    [{ max_research: 9 }, 3],
    [{ max_research: null }, 3],
  ])('with %j allows %d research calls', (request, max) => {
    const limit = new CallLimit(tools, request);
    for (let count = 0; count < max; count += 1)
      expect(limit.reserve('deep_research')).toBeUndefined();
    expect(limit.reserve('deep_research')).toMatch(
      /Research was done \d times/,
    );
    expect(limit.reserve('look')).toBeUndefined();
  });

  it('does not count research that never started', async () => {
    const limit = new CallLimit(tools, { max_research: 1 });
    limit.reserve('deep_research');
    const call = requesting('q');
    const refused = completed(null);
    limit.record(call, refused);
    expect(limit.reserve('deep_research')).toBeDefined();
    await refused;
    expect(limit.reserve('deep_research')).toBeUndefined();
  });

  it('counts a call of another process once', () => {
    const limit = new CallLimit(tools, { max_research: 1 });
    const call = requesting('q');
    const started = { invocation: { id: 'inv_1' } } as CompletedToolCall;
    limit.restore(call, started);
    limit.restore(call, started);
    expect(limit.reserve('deep_research')).toBeDefined();
  });
});
