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
import { Nested } from '../../http/validation/nested-dto';
import { MaxLength, MinLength } from '../../http/validation/text-length';
import { PRIORITIES, type Priority } from '../../tools/tool';
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
  @MaxLength(32_000)
  message?: string;

  /** Earlier turns, oldest first. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @Nested(() => MessageDto)
  messages?: MessageDto[];

  /** Of the research that the model asks for: which of several waiting invocations is begun first. */
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
  @MaxLength(32_000, { each: true })
  context?: string[];

  /** Put before the user message, and given to the research. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsObject({ each: true })
  @Nested(() => DocumentDto)
  documents?: DocumentDto[];

  /** False: no tools are offered to the model. */
  @IsOptional()
  @IsBoolean()
  auto_tool_call?: boolean = true;

  /** Instructions for the research; a direct answer is not affected. */
  @IsOptional()
  @IsString()
  @MaxLength(32_000)
  system_prompt?: string | null;

  /**
   * Of the user, for tools that tell the time or set one; default: the server's.
   * @example Asia/Seoul
   */
  @IsOptional()
  @IsTimeZone({ message: 'must be an IANA time zone, e.g. Asia/Seoul' })
  time_zone?: string | null;

  /** Of a research, unless the model chooses one itself. */
  @IsOptional()
  @IsIn(DELIVERABLE_FORMATS)
  deliverable_format?: (typeof DELIVERABLE_FORMATS)[number] | null;

  /** `auto`: what is not clear may be asked for, before a research is about the wrong thing. */
  @ApiProperty({ enum: ['never', 'auto'], default: 'never' })
  @IsOptional()
  @IsIn(['never', 'auto'])
  clarification?: 'never' | 'auto';

  /** Answer with events, while it happens. */
  @IsOptional()
  @IsBoolean()
  stream?: boolean = false;

  /** Answer at once with a `chat_id`; the chat is carried by a worker. Also asked for with `Prefer: respond-async`. */
  @IsOptional()
  @IsBoolean()
  background?: boolean = false;
}

/** The same as plain data. */
export type ChatRequest = Pick<ChatRequestDto, keyof ChatRequestDto>;
