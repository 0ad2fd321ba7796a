import type { Message } from '../../platform/message/message';
import { ApiProperty } from '@nestjs/swagger';
import { MessageDto, PartDto } from './message.dto';
import { ApiMetadata } from '../../runs/http/metadata';
import { STATUSES, type RunMetadata, type Status } from '../../runs/record/run';
import { CostDto } from '../../runs/http/run-usage.dto';
import { CitationDto, SourceDto } from '../../runs/http/citation.dto';

export class ChatErrorDto {
  /** @example upstream_timeout */
  code: string;

  /** Safe to show. */
  message: string;

  /** Whether the same request may succeed later. */
  retryable: boolean;
}

/** One tool call of the model. Fields that do not apply are null. */
export class ToolCallDto {
  tool_name: string;

  call_id: string;

  /** As chosen by the model; null if they are not a JSON object, or a guardrail refused them. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  arguments: Record<string, unknown> | null;

  /** Null if no run of a tool was begun for it: the call was refused, or is one of another agent. */
  invocation_id: string | null;

  /** Gives access to the invocation. Only in the reply to the request that started it; null if the token of the chat does. */
  invocation_token: string | null;

  @ApiProperty({ enum: STATUSES, nullable: true })
  status: Status | null;

  /** Why the tool failed, or ended early. */
  error: ChatErrorDto | null;
}

/** A call that has ended. */
export class ToolResultDto extends ToolCallDto {
  /** What the model receives; empty where a guardrail of the output is configured. */
  contents: PartDto[];
}

export class ChatUsageDto {
  input_tokens: number;

  output_tokens: number;

  total_tokens: number;
}

/** A call that starts only after approval. */
export class AwaitedApprovalDto {
  call_id: string;

  tool_name: string;

  /** As chosen by the model. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  arguments: Record<string, unknown> | null;
}

export class AwaitedAnswerDto {
  call_id: string;

  question: string;
}

/** The decisions that the chat waits for: send approvals to `/approvals`, answers to `/answers`. */
export class RequiredActionDto {
  approvals: AwaitedApprovalDto[];

  questions: AwaitedAnswerDto[];
}

/** The guardrail that refused. */
export class GuardrailDto {
  name: string;

  @ApiProperty({ enum: ['input', 'output', 'tool_input', 'tool_output'] })
  stage: 'input' | 'output' | 'tool_input' | 'tool_output';

  tool_name: string | null;
}

/** `failed`: there is no answer, or a tool that it depends on has failed. `requires_action`: the chat waits for a decision of the user. */
export const CHAT_STATUSES = STATUSES.filter(
  (status) => status !== 'incomplete',
);
export type ChatStatus = Exclude<Status, 'incomplete'>;

export class ChatResponseDto {
  /** Null while there is none. */
  content: string | null;

  /** Only in a reply whose `content` the model could not finish within the limit of its output, or is the report of research that ended early. */
  truncated?: boolean;

  /** The answer in the message format: text and images as parts, and the thinking of the model. Null while there is none. */
  @ApiProperty({ type: () => MessageDto, nullable: true })
  message: Message | null;

  /** Whether a tool ran. */
  tool_called: boolean;

  /**
   * `deep_research` if it ran, else the first tool that ran.
   * @example deep_research
   */
  tool_name: string | null;

  /** The report of the research. */
  research_summary: string | null;

  tool_calls: ToolCallDto[];

  /** The id of the last response of the model. */
  response_id: string | null;

  /** The sum over all turns of the model; research reports its own in its record. */
  usage: ChatUsageDto | null;

  /**
   * Of all replies of the model, also of those that were requested again. Null if the cost of any of them is unknown, or there
   * is none; research has its own in its record.
   */
  cost: CostDto | null;

  /** The agent that answered; null where no agents are configured. */
  agent: string | null;

  /** Images of the answer, as parts of the message format. */
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    nullable: true,
  })
  contents: object[] | null;

  /** Citations in `research_summary` if there is one; else in `content`, if the model searched the web itself. */
  citations: CitationDto[] | null;

  /** All sources of the research and of the model, cited or not. */
  sources: SourceDto[] | null;

  /** Set if a guardrail refused the request or the answer; `content` then holds its message. */
  guardrail: GuardrailDto | null;

  @ApiProperty({ enum: CHAT_STATUSES })
  status: ChatStatus;

  /** Why the chat failed: of the model, or of the tool. With `completed`: why the model did not write the answer itself. */
  error: ChatErrorDto | null;

  required_action: RequiredActionDto | null;

  /**
   * Only in a reply whose `message` calls functions of the caller: the turns of this chat, with the results of its own tools.
   * The next request has them in `messages` after those of this one, and then a `tool` message for each of the calls.
   */
  @ApiProperty({ type: () => [MessageDto], required: false })
  continuation?: Message[];

  /** Null if the chat has no record. */
  chat_id: string | null;

  /**
   * Gives access to the chat and the runs of its tools; a token in a replayed reply, to the chat alone. Only in the reply to
   * the request that created the chat: the service stores a hash.
   */
  invocation_token: string | null;
}

/** A chat on record. */
export class ChatDto extends ChatResponseDto {
  declare chat_id: string;

  /** The last message of the user, at most its first 1,000 characters; null in records of earlier versions. */
  question: string | null;

  /** As it was given. */
  @ApiMetadata()
  metadata: RunMetadata | null;

  /** RFC 3339, UTC. */
  created_at: string;

  started_at: string | null;

  completed_at: string | null;

  /** When the record is deleted. */
  expires_at: string | null;
}

/** The DTOs as plain data. */
export type ChatReply = Pick<ChatResponseDto, keyof ChatResponseDto>;
export type RecordedChatReply = Pick<ChatDto, keyof ChatDto>;
