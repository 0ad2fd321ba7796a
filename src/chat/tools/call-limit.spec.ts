import { z } from 'zod';
import { loadConfig } from '../../config/load-config';
import { deepResearch } from '../../research/research.arguments';
import { defineTool } from '../../tools/tool.definition';
import { CallLimit } from './call-limit';
import type { CompletedToolCall } from './tool-call';
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
const made = (invocation: object | null = { id: 'inv_1' }) =>
  Promise.resolve({ invocation } as CompletedToolCall);
const asking = (research_question: string, more = {}) => ({
  tool: research,
  arguments: { research_question, ...more },
});

describe(CallLimit.name, () => {
  it.each([
    [asking('The history of kimchi?'), asking('  the history\n of  KIMCHI')],
    [asking('q'), asking('q', { context: null, require_citations: true })],
    [
      asking('q', { deliverable_format: 'markdown_report', context: ['a'] }),
      asking('q', { context: ['A.'], deliverable_format: null }),
    ],
    [
      { tool: look, arguments: { at: 'a' } },
      { tool: look, arguments: { far: false, at: 'a' } },
    ],
  ])('joins calls that ask for the same: %j', (one, other) => {
    const request = { deliverable_format: 'markdown_report' } as const;
    const budget = new CallLimit(tools, request);
    const first = made();
    budget.note(one, first);
    expect(budget.first(other)).toBe(first);
  });

  it.each([
    [asking('The history of kimchi'), asking('The history of gimbap')],
    [asking('q'), asking('q', { deliverable_format: 'markdown_brief' })],
    [asking('q'), asking('q', { constraints: ['a'] })],
    [
      { tool: look, arguments: { at: 'a' } },
      { tool: look, arguments: { at: 'A' } },
    ],
  ])('keeps calls apart that ask for something else: %j', (one, other) => {
    const request = { deliverable_format: 'markdown_report' } as const;
    const budget = new CallLimit(tools, request);
    budget.note(one, made());
    expect(budget.first(other)).toBeUndefined();
  });

  it.each<[ChatRequest, number]>([
    [{}, 3],
    [{ max_research: 1 }, 1],
    [{ max_research: 0 }, 0],
    [{ max_research: 9 }, 3],
    [{ max_research: null }, 3],
  ])('with %j lets research be called for %d times', (request, most) => {
    const budget = new CallLimit(tools, request);
    for (let count = 0; count < most; count += 1)
      expect(budget.spend('deep_research')).toBeUndefined();
    expect(budget.spend('deep_research')).toMatch(/Research was done \d times/);
    expect(budget.spend('look')).toBeUndefined();
  });

  it('counts no research that was not begun', async () => {
    const budget = new CallLimit(tools, { max_research: 1 });
    budget.spend('deep_research');
    const call = asking('q');
    const refused = made(null);
    budget.note(call, refused);
    expect(budget.spend('deep_research')).toBeDefined();
    await refused;
    expect(budget.spend('deep_research')).toBeUndefined();
  });

  it('counts what another process began', () => {
    const budget = new CallLimit(tools, { max_research: 1 });
    const call = asking('q');
    const began = { invocation: { id: 'inv_1' } } as CompletedToolCall;
    budget.takeUp(call, began);
    budget.takeUp(call, began);
    expect(budget.spend('deep_research')).toBeDefined();
  });
});
