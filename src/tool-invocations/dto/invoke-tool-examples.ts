import type { ApiBodyOptions } from '@nestjs/swagger';

const question = { research_question: 'The history of kimchi' };

type Examples = NonNullable<
  Extract<ApiBodyOptions, { examples?: unknown }>['examples']
>;

/** Bodies that can be sent as they are; the first is what the pages at `/docs` open with. */
export const INVOKE_EXAMPLES: Examples = {
  research: {
    summary: 'Research in the foreground',
    value: { tool_name: 'deep_research', arguments: question },
  },
  background: {
    summary: 'Research in the background',
    value: {
      tool_name: 'deep_research',
      arguments: {
        ...question,
        deliverable_format: 'markdown_report',
        background: true,
      },
    },
  },
  tool: {
    summary: 'Another tool',
    value: { tool_name: 'get_current_datetime', arguments: {} },
  },
};

export const ESTIMATE_EXAMPLES: Examples = {
  research: {
    summary: 'Research of any depth',
    value: { tool_name: 'deep_research', arguments: question },
  },
  depth: {
    summary: 'Research that the agent carries as far as it can',
    value: {
      tool_name: 'deep_research',
      arguments: { ...question, depth: 'deep' },
    },
  },
};
