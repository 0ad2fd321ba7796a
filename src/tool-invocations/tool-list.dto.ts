import { ApiProperty } from '@nestjs/swagger';

export class ToolDto {
  name: string;

  description: string;

  /** JSON Schema of the arguments. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  parameters: object;
}

export class ToolListDto {
  tools: ToolDto[];
}
