import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import { MaxFields } from '../../platform/http/validation/max-fields';
import { Nested } from '../../platform/http/validation/nested-dto';
import {
  MaxLength,
  MinLength,
} from '../../platform/http/validation/text-length';
import { Metadata } from '../../runs/http/metadata';
import {
  PRIORITIES,
  type Priority,
  type RunMetadata,
} from '../../runs/record/run';

export class WebhookDto {
  /**
   * At a public https address; no credentials, no fragment. Its query is never shown again.
   * @example https://hooks.example.com/sonde
   */
  @IsString()
  @MinLength(1)
  @MaxLength(2_048)
  url: string;
}

export class InvokeToolDto {
  /**
   * A registered tool, see `GET /api/v1/tools`.
   * @example deep_research
   */
  @IsString()
  @MinLength(1)
  @MaxLength(64)
  tool_name: string;

  /** The tool's own arguments, and `background` or `stream` to choose the mode. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsObject()
  @MaxFields(1_000)
  arguments: Record<string, unknown>;

  /** Which of several waiting invocations is begun first. */
  @ApiProperty({ enum: PRIORITIES, default: 'normal' })
  @IsOptional()
  @IsIn(PRIORITIES)
  priority?: Priority;

  /**
   * Where the end is announced, signed as https://www.standardwebhooks.com has it; at least once, tried again for as
   * long as the record is kept, at most for about two days. Instead of the one that is configured for the API key.
   */
  @IsOptional()
  @IsObject()
  @Nested(() => WebhookDto)
  webhook?: WebhookDto | null;

  /**
   * Up to 16 pairs of text that are kept with the record, to find it again: keys of at most 64 characters, values of at
   * most 512. Shown in the record and in webhooks; no tool and no model gets them.
   */
  @Metadata()
  metadata?: RunMetadata | null;
}

/** What there are estimates of. */
export class EstimateToolDto extends InvokeToolDto {
  @ApiProperty({ enum: ['deep_research'] })
  declare tool_name: string;

  @ApiProperty({
    allOf: [{ $ref: '#/components/schemas/DeepResearchArguments' }],
  })
  declare arguments: Record<string, unknown>;
}
