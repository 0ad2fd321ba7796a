import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsTimeZone,
  ValidateIf,
} from 'class-validator';
import type { Sampling } from '../../llm/turns/sampling';
import { Nested } from '../../platform/http/validation/nested-dto';
import {
  MaxLength,
  MinLength,
} from '../../platform/http/validation/text-length';
import { MAX_QUESTION_CHARS } from '../../platform/message/message';
import { Metadata } from '../../runs/http/metadata';
import {
  PRIORITIES,
  type Priority,
  type RunMetadata,
} from '../../runs/record/run';
import { MessageDto } from './message.dto';
import { ChatOptionsDto } from './options.dto';

const DELIVERABLE_FORMATS = [
  'markdown_brief',
  'markdown_report',
  'json_outline',
] as const;

export class DocumentDto {
  @IsString()
  @MinLength(1)
  @MaxLength(1_000)
  title: string;

  @IsString()
  @MinLength(1)
  @MaxLength(1_000_000)
  text: string;
}

export class ChatRequestDto extends ChatOptionsDto {
  /** Required unless `messages` is given. */
  @ValidateIf(
    ({ message, messages }: ChatRequestDto) =>
      (message ?? undefined) !== undefined || !messages?.length,
  )
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_QUESTION_CHARS)
  message?: string;

  /** Earlier turns, oldest first. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @Nested(() => MessageDto)
  messages?: MessageDto[];

  /** Of research that the model requests: invocations with a higher priority start first. */
  @ApiProperty({ enum: PRIORITIES, default: 'normal' })
  @IsOptional()
  @IsIn(PRIORITIES)
  priority?: Priority;

  /** Put before the user message. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(MAX_QUESTION_CHARS, { each: true })
  context?: string[];

  /** Put before the user message, and passed to research. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsObject({ each: true })
  @Nested(() => DocumentDto)
  documents?: DocumentDto[];

  /** False: the model gets no tools. */
  @IsOptional()
  @IsBoolean()
  auto_tool_call?: boolean = true;

  /** Instructions for research; a direct answer is not affected. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_QUESTION_CHARS)
  system_prompt?: string | null;

  /**
   * The time zone of the user, for tools that work with times. Default: that of the server.
   * @example Asia/Seoul
   */
  @IsOptional()
  @IsTimeZone({ message: 'must be an IANA time zone, e.g. Asia/Seoul' })
  time_zone?: string | null;

  /** The format of research reports, unless the model chooses one. */
  @IsOptional()
  @IsIn(DELIVERABLE_FORMATS)
  deliverable_format?: (typeof DELIVERABLE_FORMATS)[number] | null;

  /** `auto`: the model may ask one clarifying question before research. */
  @ApiProperty({ enum: ['never', 'auto'], default: 'never' })
  @IsOptional()
  @IsIn(['never', 'auto'])
  clarification?: 'never' | 'auto';

  /** Reply with events as they happen. */
  @IsOptional()
  @IsBoolean()
  stream?: boolean = false;

  /** Reply at once with a `chat_id`; a worker runs the chat. Equals `Prefer: respond-async`. */
  @IsOptional()
  @IsBoolean()
  background?: boolean = false;

  /**
   * Up to 16 pairs of text that are kept with the chat, if it gets a record: keys of at most 64 characters, values of at
   * most 512. No tool and no model gets them.
   */
  @Metadata()
  metadata?: RunMetadata | null;
}

/** The DTO as plain data, and what only another form of the request has. */
export type ChatRequest = Pick<ChatRequestDto, keyof ChatRequestDto> & {
  sampling?: Sampling;
};
