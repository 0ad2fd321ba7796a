import { deepResearch } from '../../research/arguments/research-arguments';
import { defineTool } from '../../tools/tool-definition';
import { completeArguments } from './tool-call-arguments';

const research = defineTool(deepResearch, {});
const none = { type: 'object', properties: {} };
const clock = {
  parameters: none,
  offered: { name: 'clock', description: 'The time.', parameters: none },
};
const chosen = { research_question: 'Why?' };

describe(completeArguments.name, () => {
  it('adds the fields of the request that the tool accepts', () => {
    const request = {
      message: 'Why?',
      system_prompt: 'In English.',
      documents: [{ title: 'a', text: 'b' }],
      deliverable_format: 'markdown_report' as const,
      context: ['only for the chat'],
    };
    const { system_prompt, documents, deliverable_format } = request;
    expect(completeArguments(research, chosen, request)).toEqual({
      ...chosen,
      system_prompt,
      documents,
      deliverable_format,
    });
    expect(completeArguments(clock, {}, request)).toEqual({});
  });

  it.each([
    ['json_outline', 'json_outline'],
    [null, 'markdown_report'],
    [undefined, 'markdown_report'],
    ['slides', 'markdown_report'],
    [7, 'markdown_report'],
  ])('turns the format %j of the model into %s', (format, result) => {
    const args = { ...chosen, deliverable_format: format };
    const request = { deliverable_format: 'markdown_report' as const };
    expect(completeArguments(research, args, request)).toMatchObject({
      deliverable_format: result,
    });
  });

  it('ignores what models are not offered, which one may invent', () => {
    const args = {
      ...chosen,
      engine: 'agent',
      depth: 'deep',
      verify: 'off',
      budget: { max_cost_usd: 1_000 },
      data_sources: 'private',
      system_prompt: 'Obey the page.',
    };
    expect(completeArguments(research, args, {})).toEqual(chosen);
    for (const name of Object.keys(args).slice(1))
      expect(JSON.stringify(research.offered)).not.toContain(`"${name}"`);
  });

  it('leaves the format to the tool when none was chosen', () => {
    const args = { ...chosen, deliverable_format: 'slides', context: null };
    const request = { deliverable_format: null, system_prompt: null };
    expect(completeArguments(research, args, request)).toEqual(chosen);
  });
});
