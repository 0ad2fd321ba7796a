import { z } from 'zod';
import { budgetSchema, DEPTHS } from './budget';
import type { Document } from '../../platform/message/document';
import { MAX_QUESTION_CHARS } from '../../platform/message/message';
import type { ToolOptions } from '../../tools/tool-definition';
import { DATA_SOURCES } from './data-sources';
import { givenDocuments } from './given-documents';
import type { PreviousReport } from './previous-report';
import { storedObject } from '../../runs/record/stored-fields';
import { ENGINE_CHOICES, type EngineName } from '../research-engine';

/** How far the sentences of a report are checked, see docs/research-agent.md. */
export const VERIFY = ['off', 'rules', 'check', 'enforce'] as const;
export type Verify = (typeof VERIFY)[number];

const lines = z.array(z.string().min(1).max(MAX_QUESTION_CHARS)).max(100);

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
    .max(MAX_QUESTION_CHARS)
    .describe('The question to research, complete in itself.'),
  system_prompt: z
    .string()
    .max(MAX_QUESTION_CHARS)
    .optional()
    .describe('Instructions to the researching model.'),
  text_format: textFormat.optional(),
  context: lines
    .optional()
    .describe('Facts that the answer should start from.'),
  constraints: lines
    .optional()
    .describe('Limits that the research must keep to.'),
  documents: givenDocuments
    .optional()
    .describe("The caller's own sources: texts, PDF and DOCX."),
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
  engine: z
    .enum(ENGINE_CHOICES)
    .optional()
    .describe(
      'What carries the run: the model endpoint (hosted), this service with a search of its own (agent), or one turn of a model ' +
        'without any search (plain). Auto takes the first of them that can, and the agent for what only the agent does.',
    ),
  depth: z
    .enum(['auto', ...DEPTHS])
    .optional()
    .describe(
      'How far the agent goes, which another depth than auto selects; auto lets it judge by the question.',
    ),
  plan: z
    .enum(['auto', 'review'])
    .optional()
    .describe(
      'With review, which selects the agent, it searches nothing before its plan is approved or edited.',
    ),
  budget: budgetSchema
    .optional()
    .describe(
      'Limits of a run of the agent, which they select, where they are narrower.',
    ),
  previous_invocation_id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "The caller's own finished deep_research that this question follows up: its report and sources are given along.",
    ),
  verify: z
    .enum(VERIFY)
    .optional()
    .describe(
      'How the agent checks its sentences against the quotes that they cite: not at all (off), by comparing texts alone (rules), ' +
        'with a model (check), or so that what does not hold is dropped as well (enforce). ' +
        'All but off select the agent, which checks unless told otherwise.',
    ),
});

/** As a record has them: of files, their texts. */
export type ResearchArguments = Omit<
  z.infer<typeof researchArguments>,
  'documents'
> & {
  documents?: Document[];
  /** Of `previous_invocation_id`. */
  previous?: PreviousReport;
};

/** The arguments of a record, with the engine and the depth that were decided for it and the report that it follows up. */
export function argumentsIn({
  args,
  engine,
  depth,
  previous,
}: {
  args: string;
  engine?: string;
  depth?: string;
  previous?: string;
}): ResearchArguments {
  const given = JSON.parse(args) as ResearchArguments;
  const report = storedObject<PreviousReport>(previous);
  return {
    ...(depth && { depth: depth as ResearchArguments['depth'] }),
    ...given,
    ...(engine && { engine: engine as EngineName }),
    ...(report && { previous: report }),
  };
}

/** `deep_research`, as callers and models see it. */
export const deepResearch: ToolOptions<typeof researchArguments> = {
  name: 'deep_research',
  description:
    'Researches a question on the web for minutes and returns a cited report. Use it when the user asks for an in-depth, ' +
    'detailed, historical, comparative or current investigation that needs sources; not for greetings or simple questions.',
  parameters: researchArguments,
  // These are the caller's to choose.
  hidden: [
    'system_prompt',
    'text_format',
    'documents',
    'data_sources',
    'engine',
    'depth',
    'plan',
    'budget',
    'previous_invocation_id',
    'verify',
  ],
  // A failed run is reported to the user: the model never answers from its own knowledge instead.
  onError: 'fail',
  annotations: { idempotentHint: true, openWorldHint: true },
};
