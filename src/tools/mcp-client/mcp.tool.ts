import { Logger } from '@nestjs/common';
import type { z } from 'zod';
import type { McpServerConfig } from '../../config/files/mcp-file';
import { textOf } from '../../platform/message/part-text';
import type {
  JsonSchema,
  ToolDescription,
} from '../../platform/message/tool-description';
import { strictSchema } from '../schemas/strict-schema';
import type { Tool, ToolAnnotations, ToolContext } from '../tool';
import { ToolError } from '../tool-error';
import { ToolResult } from '../tool-result';
import type { McpConnection } from './mcp-connection';
import { fromMcpResult, type McpToolResult } from './mcp-content';
import type { McpDefinition } from './mcp-definitions';
import { toToolError } from './mcp-failure';
import { argumentsSchema, resultCheck } from './mcp.schema';

/** A call that reports progress may take this many times the silence limit, at most a day. */
const MAX_TOTAL_FACTOR = 10;
const DAY_MS = 86_400_000;
const MAX_ERROR_LENGTH = 2_000;
const MAX_DETAIL_LENGTH = 1_000;

/** A tool of an MCP server. */
export class McpTool implements Tool {
  readonly description: string;
  readonly source: string;
  readonly argumentsSchema: z.ZodType<Record<string, unknown>>;
  readonly parameters: JsonSchema;
  readonly returns?: JsonSchema;
  readonly offered: ToolDescription;
  readonly annotations: ToolAnnotations;
  readonly returnDirect = false;
  readonly onError = 'tell';
  readonly timeoutMs: number;
  readonly trusted: boolean;
  readonly needsApproval: boolean;
  private readonly log: Logger;
  private readonly totalMs: number;
  private matchesSchema?: (value: unknown) => boolean;

  constructor(
    readonly name: string,
    private readonly definition: McpDefinition,
    private readonly server: McpServerConfig,
    private readonly connection: McpConnection,
    /** The definition differs from the first one that this process saw. */
    changed = false,
  ) {
    const { description, title, inputSchema, outputSchema } = definition;
    this.log = new Logger(`MCP ${server.name}`);
    this.source = `mcp:${server.name}`;
    this.description =
      (description ?? title)?.trim() ||
      `The tool "${definition.name}" of the server "${server.name}".`;
    this.argumentsSchema = argumentsSchema(inputSchema);
    this.parameters = inputSchema;
    this.returns = outputSchema;
    this.offered = describeForModels(this);
    this.annotations = definition.annotations;
    const { trusted = [] } = server;
    this.trusted =
      !changed && (trusted.includes('*') || trusted.includes(definition.name));
    this.needsApproval = changed || mayDestroy(definition.annotations);
    this.totalMs = Math.min(MAX_TOTAL_FACTOR * server.timeoutMs, DAY_MS);
    this.timeoutMs = this.totalMs + server.connectTimeoutMs;
  }

  /** @throws ToolError, or the reason of the signal. */
  async run(
    args: Record<string, unknown>,
    context: ToolContext,
  ): Promise<ToolResult> {
    const result = await this.call(args, context);
    if (result.isError) throw new ToolError('TOOL_ERROR', errorTextOf(result));
    this.checkResult(result);
    return new ToolResult(fromMcpResult(result));
  }

  private async call(
    args: Record<string, unknown>,
    context: ToolContext,
  ): Promise<McpToolResult & { isError?: boolean }> {
    const { signal } = context;
    const limit = AbortSignal.timeout(this.totalMs);
    try {
      const result = await this.connection.call({
        definition: this.definition,
        args,
        signal: AbortSignal.any([signal, limit]),
        progressTimeoutMs: this.server.timeoutMs,
        onprogress: ({ message, ...of }) => {
          const place = of.total === undefined ? '' : `/${of.total}`;
          const detail = message ?? `${of.progress}${place}`;
          context.progress(detail.slice(0, MAX_DETAIL_LENGTH), of);
        },
      });
      return result as McpToolResult & { isError?: boolean };
    } catch (error) {
      signal.throwIfAborted();
      this.log.debug(error);
      throw toToolError(error);
    }
  }

  /** Compiled at the first result, since most tools are never called. */
  private checkResult({ structuredContent: value }: McpToolResult): void {
    if (!this.returns) return;
    this.matchesSchema ??= resultCheck(this.returns);
    if (value !== undefined && this.matchesSchema(value)) return;
    const message =
      'The tool returned a result that does not match its schema.';
    throw new ToolError('INVALID_RESULT', message);
  }
}

/** A missing hint means the worst case, as the protocol requires. */
function mayDestroy({ readOnlyHint, destructiveHint }: ToolAnnotations) {
  return readOnlyHint !== true && destructiveHint !== false;
}

function describeForModels({
  name,
  description,
  parameters,
  returns,
}: McpTool): ToolDescription {
  const common = { name, description, ...(returns && { returns }) };
  try {
    return { ...common, parameters: strictSchema(parameters) };
  } catch {
    // The schema uses what strict mode does not support.
    return { ...common, parameters, strict: false };
  }
}

function errorTextOf(result: McpToolResult): string {
  const text = textOf(fromMcpResult(result)).trim();
  return (
    text.slice(0, MAX_ERROR_LENGTH) || 'The tool failed without a message.'
  );
}
