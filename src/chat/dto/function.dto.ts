import { ApiProperty } from '@nestjs/swagger';
import {
  IsBoolean,
  IsObject,
  IsOptional,
  IsString,
  Matches,
} from 'class-validator';
import { MAX_FUNCTIONS } from '../../platform/http/openai/response.schema';
import { ReadsOtherForms } from '../../platform/http/validation/own-form';
import { MaxLength } from '../../platform/http/validation/text-length';
import { fitsJson } from './json-size';
import { plainFunction } from './other-forms';

/** Characters of all functions as JSON: they are part of the input of every turn. */
export const MAX_FUNCTIONS_JSON = 262_144;
const MAX_DEPTH = 40;

/** A function that the caller runs itself; also in the form `{"type": "function", "function": {…}}`. */
@ReadsOtherForms(plainFunction)
export class ChatFunctionDto {
  /** Must not be the name of a tool that the chat has. */
  @Matches(/^[a-zA-Z0-9_-]{1,64}$/)
  name: string;

  @IsOptional()
  @IsString()
  @MaxLength(16_384)
  description?: string | null;

  /** The JSON Schema of the arguments, which is sent to the model as it is. Default: no arguments. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  @IsOptional()
  @IsObject()
  parameters?: Record<string, unknown> | null;

  /** The JSON Schema of the result, which the model is told with the description. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  @IsOptional()
  @IsObject()
  returns?: Record<string, unknown> | null;

  /** Whether the endpoint must hold the arguments to the schema; it may refuse a schema that is not strict. */
  @IsOptional()
  @IsBoolean()
  strict?: boolean | null;
}

/** Whether a list of functions is small enough. One that is too long is a fault of its own. */
export function areSmallFunctions(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return (
    value.length > MAX_FUNCTIONS ||
    fitsJson(value, MAX_DEPTH, MAX_FUNCTIONS_JSON)
  );
}
