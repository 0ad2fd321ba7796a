import { ApiProperty } from '@nestjs/swagger';

export class ToolAnnotationsDto {
  title?: string;

  readOnlyHint?: boolean;

  destructiveHint?: boolean;

  idempotentHint?: boolean;

  openWorldHint?: boolean;
}

export class ToolDto {
  name: string;

  description: string;

  /**
   * `builtin`, or `mcp:<server>`.
   * @example builtin
   */
  source: string;

  /** JSON Schema of the arguments. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  parameters: object;

  /** JSON Schema of the result, if the tool declares one. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  returns: object | null;

  /** Hints on what the tool does, in the terms of the Model Context Protocol. Absent: unknown. */
  annotations: ToolAnnotationsDto;
}

export class ToolListDto {
  tools: ToolDto[];
}
