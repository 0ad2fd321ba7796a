import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type CallerIdentity } from '../platform/auth/caller';
import { RequiresScope } from '../platform/auth/requires-scope';
import { allowsTool } from '../platform/auth/scopes';
import { ToolRegistry } from '../tools/tool-registry';
import { ToolListDto } from './dto/tool-list.dto';

@ApiTags('tools')
@Controller('api/v1/tools')
export class ToolsController {
  constructor(private readonly registry: ToolRegistry) {}

  @Get()
  @RequiresScope('read', 'if-configured')
  @ApiOperation({
    summary: 'The tools that are on and that the API key may use',
  })
  list(@Caller() { scopes }: CallerIdentity): ToolListDto {
    const tools = this.registry.list();
    return {
      tools: tools
        .filter(({ name }) => allowsTool(scopes, name))
        .map((tool) => ({
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
