import { ApiProperty } from '@nestjs/swagger';
import {
  Allow,
  ArrayMaxSize,
  Equals,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  ValidateIf,
} from 'class-validator';
import { Nested } from '../../platform/http/validation/nested-dto';
import { ReadsOtherForms } from '../../platform/http/validation/own-form';
import {
  MaxLength,
  MinLength,
} from '../../platform/http/validation/text-length';
import {
  identifiedCall,
  MAX_ARGUMENTS,
  typedImage,
  writtenArguments,
} from './other-forms';

export const ROLES = ['system', 'user', 'assistant', 'tool'] as const;
export const PART_TYPES = ['text', 'image', 'function', 'value'] as const;

const hasType = (type: string) => (part: { type?: string }) =>
  part.type === type;

/** Either `url`, or `data` and `mime_type`. */
@ReadsOtherForms(typedImage)
export class ImageDto {
  @ValidateIf((image: ImageDto) => image.data === undefined)
  @Matches(/^(https?:\/\/|data:image\/)/, {
    message: 'must be an http(s) or data URL',
  })
  url?: string;

  /** Base64. */
  @ValidateIf((image: ImageDto) => image.data !== undefined)
  @Matches(/^[A-Za-z0-9+/]+=*$/, { message: 'must be Base64' })
  data?: string;

  /**
   * May be omitted for PNG, JPEG, GIF and WebP.
   * @example image/png
   */
  @ValidateIf((image: ImageDto) => image.data !== undefined)
  @Matches(/^image\/[\w.+-]{1,100}$/, {
    message: 'must be the type of an image, e.g. image/png',
  })
  mime_type?: string;
}

@ReadsOtherForms(writtenArguments)
export class FunctionTextDto {
  @IsOptional()
  @IsString()
  @MaxLength(255)
  id?: string;

  @Matches(/^[a-zA-Z0-9_-]{1,64}$/)
  name: string;

  /** JSON; an object is taken as its JSON. */
  @IsString()
  @MaxLength(MAX_ARGUMENTS)
  arguments: string;
}

/** `type` names the field that holds the content. */
export class PartDto {
  @IsIn(PART_TYPES)
  type: (typeof PART_TYPES)[number];

  @ValidateIf(hasType('text'))
  @IsString()
  @MaxLength(1_000_000)
  text?: string;

  @ValidateIf(hasType('image'))
  @IsObject()
  @Nested(() => ImageDto)
  image?: ImageDto;

  @ValidateIf(hasType('function'))
  @IsObject()
  @Nested(() => FunctionTextDto)
  function?: FunctionTextDto;

  @Allow()
  @ApiProperty({ description: 'Any JSON.', required: false, anyOf: [{}] })
  value?: unknown;
}

export class CalledFunctionDto {
  @Matches(/^[a-zA-Z0-9_-]{1,64}$/)
  name: string;

  @IsObject()
  arguments: Record<string, unknown>;
}

/** The `id` may also be in `function`. */
@ReadsOtherForms(identifiedCall)
export class MessageToolCallDto {
  @Equals('function')
  type: 'function';

  /** A call without an id is matched with the first later `tool` message that has no `tool_call_id` and answers no other call. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(255)
  id?: string;

  @IsObject()
  @Nested(() => CalledFunctionDto)
  function: CalledFunctionDto;
}

/** An earlier message. */
export class MessageDto {
  @IsOptional()
  @IsString()
  @MaxLength(255)
  id?: string;

  @IsIn(ROLES)
  role: (typeof ROLES)[number];

  @IsArray()
  @ArrayMaxSize(100)
  @IsObject({ each: true })
  @Nested(() => PartDto)
  contents: PartDto[];

  /** Not sent to the model. */
  @IsOptional()
  @IsString()
  @MaxLength(1_000_000)
  thinking?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsObject({ each: true })
  @Nested(() => MessageToolCallDto)
  tool_calls?: MessageToolCallDto[];

  /** In a `tool` message: the `id` of the call that it answers, if the call has one. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(255)
  tool_call_id?: string;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  name?: string;
}
