import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import type { HostedToolset } from '../../../llm/responses/hosted-tools';
import type { ModelProfile } from '../../../llm/models/model.profile';
import type { ResearchArguments } from '../../research.arguments';
import { researchPrompt } from '../research.prompt';

export interface ResponsesRequest {
  model: string;
  profile: ModelProfile;
  hosted: Pick<HostedToolset, 'tools' | 'include'>;
  args: ResearchArguments;
  /** False: the run ends with its connection. */
  background: boolean;
  metadata: { invocation_id: string; attempt_id: string };
}

/** The body of the one request that purchases a run over Responses. */
export function buildResponsesRequest(
  request: ResponsesRequest,
): ResponseCreateParamsStreaming {
  const { model, profile, hosted, args, background, metadata } = request;
  return {
    model,
    input: [{ role: 'user', content: researchPrompt(args) }],
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
