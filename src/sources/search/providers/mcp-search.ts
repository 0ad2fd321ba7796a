import { randomUUID } from 'node:crypto';
import { AppError } from '../../../platform/errors';
import { parseArguments } from '../../../tools/schemas/parse-arguments';
import type { Tool } from '../../../tools/tool';
import { ToolError } from '../../../tools/tool-error';
import type { ToolRegistry } from '../../../tools/tool-registry';
import { toContents } from '../../../tools/tool-result';
import {
  ProviderFailed,
  type ProviderReply,
  type SearchFault,
  type SearchProvider,
  type SearchQuery,
} from '../search.types';
import { type McpArguments, searchArguments } from './mcp-arguments';
import { hitsInParts } from './mcp-hits';

const FAULTS: Record<string, SearchFault> = {
  TOOL_TIMEOUT: 'timeout',
  TOOL_UNAVAILABLE: 'unreachable',
  TOOL_INTERRUPTED: 'unreachable',
  TOOL_REFUSED: 'refused_query',
};
/** What tools write about the service behind them, since the protocol has no codes for it. */
const WRITTEN: [SearchFault, RegExp][] = [
  ['rate_limited', /\b429\b|rate.?limit|too many requests/i],
  ['quota_exceeded', /\b402\b|quota|credits?\b.*(exhaust|exceed|used)/i],
  ['unauthorized', /\b40[13]\b|unauthori[sz]ed|api.?key/i],
];

/** A tool that searches, from the registry: of an MCP server, or one that the operator added. */
export class McpSearch implements SearchProvider {
  /** @param keepsText whether long texts are hits with content: pages of a private source cannot be fetched. */
  constructor(
    private readonly tools: ToolRegistry,
    private readonly name: string,
    private readonly given: McpArguments,
    private readonly keepsText: boolean,
  ) {}

  async search(
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<ProviderReply> {
    const tool = this.tools.callable(this.name);
    if (!tool?.run)
      throw new ProviderFailed('unreachable', 'there is no such tool');
    const hits = hitsInParts(
      toContents(await this.call(tool, query, signal)),
      this.keepsText,
    );
    if (!hits) throw new ProviderFailed('bad_reply', 'its result has no links');
    return { hits };
  }

  private async call(
    tool: Tool,
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      const args = searchArguments(tool.parameters, query, this.given);
      return await tool.run!(parseArguments(tool, args), {
        invocationId: randomUUID(),
        signal,
        progress: () => undefined,
      });
    } catch (error) {
      if (error instanceof ToolError) throw failureOf(error);
      if (error instanceof AppError)
        throw new ProviderFailed(
          'bad_reply',
          'the tool needs other arguments: set queryArgument and arguments',
          { cause: error },
        );
      throw error;
    }
  }
}

function failureOf(error: ToolError): ProviderFailed {
  const [written] =
    (error.code === 'TOOL_ERROR' &&
      WRITTEN.find(([, form]) => form.test(error.message))) ||
    [];
  const fault = written ?? FAULTS[error.code] ?? 'bad_reply';
  return new ProviderFailed(fault, error.code, { cause: error });
}
