import type { Message } from '../../message/message';
import { ApiProperty } from '@nestjs/swagger';
import { MessageDto } from './message.dto';
import { STATUSES, type Status } from '../../runs/run';
import { CitationDto, SourceDto } from '../../runs/http/run.dto';

/** One call of a tool by the model. Null where nothing applies. */
export class ToolCallDto {
  tool_name: string;

  call_id: string;

  /** As the model chose them; null if they were no JSON object, or a guardrail refused them. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  arguments: Record<string, unknown> | null;

  /** Null if nothing was run. */
  invocation_id: string | null;

  /** Opens the record of the invocation. Only in the reply to the request that began it; null if the token of the chat does. */
  invocation_token: string | null;

  @ApiProperty({ enum: STATUSES, nullable: true })
  status: Status | null;
}

export class ChatUsageDto {
  input_tokens: number;

  output_tokens: number;

  total_tokens: number;
}

/** A call that is made only if it is approved. */
export class AwaitedApprovalDto {
  call_id: string;

  tool_name: string;

  /** As the model chose them. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  arguments: Record<string, unknown> | null;
}

export class AwaitedAnswerDto {
  call_id: string;

  question: string;
}

/** What the chat waits for: approvals go to `/approvals`, answers to `/answers`. */
export class RequiredActionDto {
  approvals: AwaitedApprovalDto[];

  questions: AwaitedAnswerDto[];
}

/** What refused to let something pass. */
export class GuardrailDto {
  name: string;

  @ApiProperty({ enum: ['input', 'output', 'tool_input', 'tool_output'] })
  stage: 'input' | 'output' | 'tool_input' | 'tool_output';

  tool_name: string | null;
}

export class ChatErrorDto {
  /** @example upstream_timeout */
  code: string;

  /** Safe to show. */
  message: string;

  retryable: boolean;
}

/** `failed`: the model gave no answer. `requires_action`: it goes on when a human has decided. */
export const CHAT_STATUSES = STATUSES.filter(
  (status) => status !== 'incomplete',
);
export type ChatStatus = Exclude<Status, 'incomplete'>;

export class ChatResponseDto {
  /** Null while there is none. */
  content: string | null;

  /** The answer in the message format: its text and images as parts, and what the model thought. Null while there is none. */
  @ApiProperty({ type: () => MessageDto, nullable: true })
  message: Message | null;

  /** Whether a tool was run. */
  tool_called: boolean;

  /**
   * `deep_research` if that was run, else the first tool that was.
   * @example deep_research
   */
  tool_name: string | null;

  /** The report of the research. */
  research_summary: string | null;

  tool_calls: ToolCallDto[];

  /** Of the last turn of the model. */
  response_id: string | null;

  /** Of all turns of the model; a research has its own, in its record. */
  usage: ChatUsageDto | null;

  /** Who answered; null where no agents are configured. */
  agent: string | null;

  /** Images that the answer came with, in parts of the message format. */
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    nullable: true,
  })
  contents: object[] | null;

  /** Places of `research_summary`, where there is one; else of `content`, where the model searched the web itself. */
  citations: CitationDto[] | null;

  /** What the research and the model consulted, cited or not. */
  sources: SourceDto[] | null;

  /** Set if it refused the request or the answer; `content` says so. */
  guardrail: GuardrailDto | null;

  @ApiProperty({ enum: CHAT_STATUSES })
  status: ChatStatus;

  error: ChatErrorDto | null;

  required_action: RequiredActionDto | null;

  /** Null if it is on no record. */
  chat_id: string | null;

  /**
   * Opens the chat, and what its tools do; one that is given again, to the same idempotency key, the chat alone. Only in
   * the reply to what began it: only its hash is kept.
   */
  invocation_token: string | null;
}

/** A chat that is on record. */
export class ChatDto extends ChatResponseDto {
  declare chat_id: string;

  /** RFC 3339, UTC. */
  created_at: string;

  started_at: string | null;

  completed_at: string | null;

  /** When the record will be forgotten. */
  expires_at: string | null;
}

/** The same as plain data. */
export type ChatReply = Pick<ChatResponseDto, keyof ChatResponseDto>;
export type KeptChatReply = Pick<ChatDto, keyof ChatDto>;
