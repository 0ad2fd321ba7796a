import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { Verbatim } from '../http/validation';
import { isObject } from '../message/call.arguments';

const NAME = /^[\w:-]{1,128}$/;
/** Of `tool_context`, as JSON: it goes along with every call. */
const MAX_CONTEXT = 16_384;
const MAX_DEPTH = 8;

export type ChatToolChoice = 'auto' | 'none' | 'required' | { name: string };

/** What a request may choose of how its chat is carried. */
export class ChatOptionsDto {
  /** The only tools that may be called, hosted ones too. Default: all of them. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(128)
  @ArrayUnique()
  @Matches(NAME, { each: true, message: 'must be names of tools' })
  tools?: string[] | null;

  /** Whether the first turn of the model has to call a tool, or which one; later turns decide. `none`: no tools at all. */
  @ApiProperty({
    oneOf: [
      { type: 'string', enum: ['auto', 'none', 'required'] },
      {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
    ],
    default: 'auto',
    required: false,
    nullable: true,
  })
  @IsOptional()
  @Verbatim()
  @ValidateBy({
    name: 'isToolChoice',
    validator: {
      validate: isToolChoice,
      defaultMessage: () =>
        'must be auto, none, required, or {"name": "<name of a tool>"}',
    },
  })
  tool_choice?: ChatToolChoice | null;

  /** One of the models that the operator lets chats choose; default: the first of them. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(256)
  model?: string | null;

  /** Given to the tools that Sonde runs itself. No model sees it, and nothing logs it. */
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
  })
  @IsOptional()
  @Verbatim()
  @ValidateBy({
    name: 'isToolContext',
    validator: {
      validate: isToolContext,
      defaultMessage: () =>
        `must be an object of at most ${MAX_CONTEXT} characters of JSON, ${MAX_DEPTH} levels deep`,
    },
  })
  tool_context?: Record<string, unknown> | null;

  /** How often research may be called for; not more than the operator allows. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(1_000)
  max_research?: number | null;
}

function isToolChoice(value: unknown): boolean {
  if (typeof value === 'string')
    return ['auto', 'none', 'required'].includes(value);
  if (!isObject(value) || Object.keys(value).length !== 1) return false;
  return typeof value.name === 'string' && NAME.test(value.name);
}

function isToolContext(value: unknown): boolean {
  return (
    isObject(value) &&
    isShallow(value, MAX_DEPTH) &&
    JSON.stringify(value).length <= MAX_CONTEXT
  );
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((item) => isShallow(item, levels - 1));
}
