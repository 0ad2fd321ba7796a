import { Injectable, Logger } from '@nestjs/common';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server';
import {
  allowsRoute,
  allowsTool,
  checkRoute,
  checkTool,
  type Scopes,
} from '../../../platform/auth/scopes';
import { toAppError } from '../../../platform/http/problems/to-app-error';
import { report } from '../../../platform/metrics/facts';
import { isRedisUnavailable } from '../../../platform/redis/redis-unavailable';
import { ChatTools } from './chat-tools';
import { DocumentTools } from './document-tools';
import type { Arguments, McpCall, McpTool } from '../mcp-call';
import { ResearchTools } from './research-tools';
import { RunTools } from './run-tools';
import { refusal } from './tool-refusal';

/** The tools of this server, in the order in which clients see them. */
@Injectable()
export class McpTools {
  private readonly log = new Logger('McpServer');
  private readonly groups: readonly { list(): McpTool[] }[];

  constructor(
    research: ResearchTools,
    runs: RunTools,
    chat: ChatTools,
    documents: DocumentTools,
  ) {
    this.groups = [research, runs, chat, documents];
  }

  /** Those that the key may use. */
  list(scopes: Scopes): Tool[] {
    return this.all()
      .filter(({ needs }) =>
        'tool' in needs
          ? allowsTool(scopes, needs.tool)
          : allowsRoute(scopes, needs.route),
      )
      .map(({ definition }) => definition);
  }

  /** Faults of the arguments, limits and budgets are results that a model can read. */
  async call(
    name: string,
    args: Arguments,
    call: McpCall,
  ): Promise<CallToolResult> {
    const tool = this.all().find(({ definition }) => definition.name === name);
    if (!tool)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'There is no tool of this name.',
      );
    try {
      check(tool, call.caller.scopes);
      return await tool.call(args, call);
    } catch (thrown) {
      const error = this.errorOf(thrown, call);
      report('request_refused', { code: error.code });
      return refusal(error);
    }
  }

  errorOf(thrown: unknown, { requestId }: McpCall) {
    const { error } = toAppError(thrown, [
      [isRedisUnavailable, 'queue_unavailable'],
    ]);
    if (error.code === 'internal_error')
      this.log.error({ request_id: requestId, err: error.cause ?? error });
    return error;
  }

  private all(): McpTool[] {
    return this.groups.flatMap((group) => group.list());
  }
}

/** @throws AppError `insufficient_scope` that names the scope. */
function check({ needs }: McpTool, scopes: Scopes): void {
  if ('tool' in needs) checkTool(scopes, needs.tool);
  else checkRoute(scopes, needs.route);
}
