import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresApiKey } from '../auth/requires-api-key';
import { ToolRegistry } from '../tools/tool.registry';
import { ToolListDto } from './dto/tool-list.dto';

@ApiTags('tools')
@Controller('api/v1/tools')
export class ToolsController {
  constructor(private readonly registry: ToolRegistry) {}

  @Get()
  @RequiresApiKey()
  @ApiOperation({ summary: 'The tools that are on' })
  list(): ToolListDto {
    return {
      tools: this.registry.list().map((tool) => ({
        name: tool.name,
        description: tool.description,
        source: tool.source,
        parameters: tool.parameters,
        returns: tool.returns ?? null,
        annotations: tool.annotations,
      })),
    };
  }
}
