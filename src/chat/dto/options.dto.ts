import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { MAX_FUNCTIONS } from '../../platform/http/openai/response.schema';
import { Nested } from '../../platform/http/validation/nested-dto';
import { MaxLength } from '../../platform/http/validation/text-length';
import { isObject } from '../../platform/message/call-arguments';
import {
  areSmallFunctions,
  ChatFunctionDto,
  MAX_FUNCTIONS_JSON,
} from './function.dto';
import { fitsJson } from './json-size';

const MAX_TOOLS = 128;
const NAME = /^[\w:-]{1,128}$/;
/** Characters of `tool_context` as JSON, which is sent with every call. */
const MAX_CONTEXT = 16_384;
const MAX_DEPTH = 8;

export type ChatToolChoice = 'auto' | 'none' | 'required' | { name: string };

/** The options of a request. */
export class ChatOptionsDto {
  /** The tools that may be called, hosted ones included. Default: all. */
  @IsOptional()
  @ArrayMaxSize(MAX_TOOLS)
  @ValidateBy({
    name: 'areToolNames',
    validator: {
      validate: areToolNames,
      defaultMessage: () => 'must be names of tools, each once',
    },
  })
  tools?: string[] | null;

  /** Whether the first turn of the model must call a tool, or which one; later turns are free. `none`: no tools at all. */
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
  @ValidateBy({
    name: 'isToolChoice',
    validator: {
      validate: isToolChoice,
      defaultMessage: () =>
        'must be auto, none, required, or {"name": "<name of a tool>"}',
    },
  })
  tool_choice?: ChatToolChoice | null;

  /**
   * Functions of the caller, offered to the model beside the tools. A call of one ends the chat: `message.tool_calls` of the
   * reply holds it, and the chat continues with `continuation` and a `tool` message for each call in `messages`.
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_FUNCTIONS)
  @IsObject({ each: true })
  @Nested(() => ChatFunctionDto)
  @ValidateBy({
    name: 'areSmallFunctions',
    validator: {
      validate: areSmallFunctions,
      defaultMessage: () =>
        `must have at most ${MAX_FUNCTIONS_JSON} characters of JSON, 40 levels deep`,
    },
  })
  functions?: ChatFunctionDto[] | null;

  /** False: asks the model for at most one call in a turn. Default: that of the model. */
  @IsOptional()
  @IsBoolean()
  parallel_tool_calls?: boolean | null;

  /** One of the models that the operator allows for chat. Default: the first of them. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(256)
  model?: string | null;

  /** Passed to the tools that Sonde runs itself. Never sent to a model, never logged. */
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
  })
  @IsOptional()
  @ValidateBy({
    name: 'isToolContext',
    validator: {
      validate: isToolContext,
      defaultMessage: () =>
        `must be an object of at most ${MAX_CONTEXT} characters of JSON, ${MAX_DEPTH} levels deep`,
    },
  })
  tool_context?: Record<string, unknown> | null;

  /** How many research calls the chat may make, up to the limit of the operator. */
  @ApiProperty({ type: 'integer' })
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

/** The names of a list that is too long are not checked: its size is a fault of its own. */
function areToolNames(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  if (value.length > MAX_TOOLS) return true;
  const isName = (name: unknown) => typeof name === 'string' && NAME.test(name);
  return new Set(value).size === value.length && value.every(isName);
}

function isToolContext(value: unknown): boolean {
  return isObject(value) && fitsJson(value, MAX_DEPTH, MAX_CONTEXT);
}
