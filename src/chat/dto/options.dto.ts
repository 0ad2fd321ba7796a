import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { MaxLength } from '../../http/validation/text-length';
import { isObject } from '../../message/call.arguments';

const MAX_TOOLS = 128;
const NAME = /^[\w:-]{1,128}$/;
/** Of `tool_context`, as JSON: it goes along with every call. */
const MAX_CONTEXT = 16_384;
const MAX_DEPTH = 8;

export type ChatToolChoice = 'auto' | 'none' | 'required' | { name: string };

/** What a request may choose of how its chat is carried. */
export class ChatOptionsDto {
  /** The only tools that may be called, hosted ones too. Default: all of them. */
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

/** Of a list that is too long no name is looked at: its size is a fault of its own. */
function areToolNames(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  if (value.length > MAX_TOOLS) return true;
  const isName = (one: unknown) => typeof one === 'string' && NAME.test(one);
  return new Set(value).size === value.length && value.every(isName);
}

function isToolContext(value: unknown): boolean {
  return (
    isObject(value) &&
    weightOf(value, MAX_DEPTH, MAX_CONTEXT) <= MAX_CONTEXT &&
    JSON.stringify(value).length <= MAX_CONTEXT
  );
}

/** Less than the characters of its JSON, or more than `most`, and then no more of it is looked at. */
function weightOf(value: unknown, levels: number, most: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (levels === 0) return Infinity;
  let sum = 1;
  for (const item of Object.values(value) as unknown[]) {
    sum += weightOf(item, levels - 1, most - sum);
    if (sum > most) break;
  }
  return sum;
}
