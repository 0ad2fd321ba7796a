import { api, read, type Schemas } from '../api/client';
import type { ResearchArguments } from './draft';

export type Estimate = Schemas['RunEstimateDto'];

/**
 * What a run with these arguments would take.
 * @throws ApiError if they are not valid together.
 */
export async function estimateOf(args: ResearchArguments): Promise<Estimate> {
  return (await read(
    api.POST('/api/v1/tool-invocations/estimate', {
      body: { tool_name: 'deep_research', arguments: { ...optionsOf(args) } },
    }),
  ))!;
}

/** The estimate does not depend on the words of the question and the documents, which may be long. */
export function optionsOf(args: ResearchArguments): ResearchArguments {
  const { documents } = args;
  return {
    ...args,
    research_question: '?',
    ...(documents && {
      documents: documents.map(() => ({ title: '?', text: '?' })),
    }),
  };
}
