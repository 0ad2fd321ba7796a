import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import type { HostedOffer } from '../../../llm/responses/hosted-tools';
import type { ModelProfile } from '../../../llm/models/model.profile';
import { renderDocuments } from '../../../message/document';
import type { ResearchArguments } from '../../research.arguments';

const FORMATS: Record<ResearchArguments['deliverable_format'], string> = {
  markdown_brief:
    'a brief in Markdown: the answer first, then its main points, under one page',
  markdown_report:
    'a report in Markdown: a summary, sections with headings, and a conclusion',
  json_outline:
    'one JSON object {"title", "sections": [{"heading", "points": [string]}]}, and nothing around it',
};

export interface HostedRequest {
  model: string;
  profile: ModelProfile;
  hosted: Pick<HostedOffer, 'tools' | 'include'>;
  args: ResearchArguments;
  /** Without it the run lives only as long as the connection. */
  background: boolean;
  metadata: { invocation_id: string; attempt_id: string };
}

/** The body of the one request that buys a run. */
export function buildHostedRequest(
  request: HostedRequest,
): ResponseCreateParamsStreaming {
  const { model, profile, hosted, args, background, metadata } = request;
  return {
    model,
    input: [{ role: 'user', content: researchInput(args) }],
    ...(args.system_prompt && { instructions: args.system_prompt }),
    ...(hosted.tools.length > 0 && { tools: hosted.tools }),
    ...(hosted.include.length > 0 && { include: hosted.include }),
    ...(profile.reasoning && { reasoning: profile.reasoning }),
    ...(args.text_format && { text: { format: args.text_format } }),
    ...(background && { background }),
    store: true,
    stream: true,
    metadata,
  };
}

export function researchInput(args: ResearchArguments): string {
  return [
    args.research_question,
    list('Context', args.context),
    list('Constraints', args.constraints),
    args.documents?.length &&
      `Documents supplied by the user:\n${renderDocuments(args.documents)}`,
    // `json_object` is refused by the endpoint unless the word JSON occurs.
    args.text_format?.type === 'json_object'
      ? 'Answer with one JSON object.'
      : `Deliverable format: ${args.deliverable_format}, that is ${FORMATS[args.deliverable_format]}.`,
    args.require_citations
      ? 'Citations: wanted. Cite the source of every statement that rests on one.'
      : 'Citations: not wanted.',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The same question of an endpoint that takes no format: what the format asks for is asked in words. */
export function withoutFormat(args: ResearchArguments): ResearchArguments {
  const { text_format, ...rest } = args;
  if (!text_format || text_format.type === 'text') return rest;
  const schema =
    text_format.type === 'json_schema'
      ? ` that is valid by this JSON Schema: ${JSON.stringify(text_format.schema)}`
      : '';
  const wish = `Answer with nothing but one JSON object${schema}.`;
  return { ...rest, constraints: [...(rest.constraints ?? []), wish] };
}

function list(title: string, items: string[] = []): string | undefined {
  return items.length > 0
    ? `${title}:\n${items.map((item) => `- ${item}`).join('\n')}`
    : undefined;
}
