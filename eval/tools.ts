import { z } from 'zod';
import type { ToolDescription } from '../src/platform/message/tool-description';

/** A tool of the evaluation only: it calls nothing and costs nothing. */
interface LocalTool {
  description: string;
  parameters: z.ZodType;
  result: string;
}

const text = (description: string) => z.string().min(1).describe(description);

const TOOLS = {
  deep_research: {
    description:
      'Researches a question in depth with many sources and writes a report. Takes minutes.',
    parameters: z.strictObject({
      research_question: text('What is to be found out'),
    }),
    result: 'The dish came to Incheon in 1883, with workers from Shandong.',
  },
  get_weather: {
    description: 'The weather of a city now: temperature, rain and wind.',
    parameters: z.strictObject({
      city: text('Name of the city'),
      unit: z.enum(['celsius', 'fahrenheit']).nullable(),
    }),
    result: '{"temperature": 21, "unit": "celsius", "sky": "clear"}',
  },
  calculate: {
    description: 'Calculates an arithmetic expression exactly.',
    parameters: z.strictObject({ expression: text('e.g. 12 * (3 + 4)') }),
    result: '56088',
  },
  search_documents: {
    description: "Searches the user's own documents and notes.",
    parameters: z.strictObject({
      query: text('Words to search for'),
      limit: z.number().int().min(1).max(20).nullable(),
    }),
    result: '[{"title": "Lease", "text": "The notice period is two months."}]',
  },
} satisfies Record<string, LocalTool>;

export type ToolName = keyof typeof TOOLS;

export const TOOL_NAMES = Object.keys(TOOLS) as ToolName[];

export function describe(name: ToolName): ToolDescription {
  const { description, parameters } = TOOLS[name];
  const { $schema: _, ...schema } = z.toJSONSchema(parameters);
  return { name, description, parameters: schema };
}

export const isTool = (name: string): name is ToolName =>
  Object.hasOwn(TOOLS, name);

/** Whether the arguments are one JSON object that fits the schema of the tool. */
export function fits(name: string, args: string): boolean {
  if (!isTool(name)) return false;
  try {
    return TOOLS[name].parameters.safeParse(JSON.parse(args)).success;
  } catch {
    return false;
  }
}

export const resultOf = (name: string): string =>
  isTool(name)
    ? TOOLS[name].result
    : JSON.stringify({ error: `There is no tool ${name}.` });
