import { ApiProperty } from '@nestjs/swagger';
import {
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
} from 'class-validator';
import { Verbatim } from '../http/validation';
import { PRIORITIES, type Priority } from '../tools/tool';

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
  @ApiProperty({
    anyOf: [
      { $ref: '#/components/schemas/DeepResearchArguments' },
      { type: 'object', additionalProperties: true },
    ],
  })
  @IsObject()
  @Verbatim()
  arguments: Record<string, unknown>;

  /** Which of several waiting invocations is begun first. */
  @ApiProperty({ enum: PRIORITIES, default: 'normal' })
  @IsOptional()
  @IsIn(PRIORITIES)
  priority?: Priority;
}
