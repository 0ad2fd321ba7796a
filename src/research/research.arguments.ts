import { z } from 'zod';
import { documentsSchema } from '../message/document.schema';
import type { ToolOptions } from '../tools/tool.definition';
import { DATA_SOURCES } from './data.sources';

const lines = z.array(z.string().min(1).max(32_000)).max(100);

const textFormat = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text') }),
    z.strictObject({ type: z.literal('json_object') }),
    z.strictObject({
      type: z.literal('json_schema'),
      name: z
        .string()
        .regex(
          /^[a-zA-Z0-9_-]{1,64}$/,
          'must be 1 to 64 letters, digits, _ or -',
        ),
      schema: z.record(z.string(), z.unknown()),
      strict: z.boolean().default(true),
    }),
  ])
  .describe('Sent to the model as its text format.');

/** Everything that `deep_research` takes. Checks calls over HTTP and by models, and describes the tool to both. */
export const researchArguments = z.strictObject({
  research_question: z
    .string()
    .min(1)
    .max(32_000)
    .describe('The question to research, complete in itself.'),
  system_prompt: z
    .string()
    .max(32_000)
    .optional()
    .describe('Instructions to the researching model.'),
  text_format: textFormat.optional(),
  context: lines
    .optional()
    .describe('Facts that the answer should start from.'),
  constraints: lines
    .optional()
    .describe('Limits that the research must keep to.'),
  documents: documentsSchema.optional().describe("The caller's own sources."),
  deliverable_format: z
    .enum(['markdown_brief', 'markdown_report', 'json_outline'])
    .default('markdown_brief')
    .describe('The form of the result.'),
  require_citations: z
    .boolean()
    .default(true)
    .describe('Whether statements must cite their sources.'),
  data_sources: z
    .enum(DATA_SOURCES)
    .optional()
    .describe(
      'What is searched: the web, the private sources that are configured, or the web first and then, in a second run without it, ' +
        'the private sources. Documents go to the second run only. The web, unless only private sources are configured.',
    ),
});

export type ResearchArguments = z.infer<typeof researchArguments>;

/** `deep_research`, as callers and models see it. */
export const deepResearch: ToolOptions<typeof researchArguments> = {
  name: 'deep_research',
  description:
    'Researches a question on the web for minutes and returns a cited report. Use it when the user asks for an in-depth, ' +
    'detailed, historical, comparative or current investigation that needs sources; not for greetings or simple questions.',
  parameters: researchArguments,
  // These are the caller's to choose.
  hidden: ['system_prompt', 'text_format', 'documents', 'data_sources'],
  // A failed run is reported to the user: the model never answers from its own knowledge instead.
  onError: 'fail',
  annotations: { idempotentHint: true, openWorldHint: true },
};
