import { Logger } from '@nestjs/common';
import type { z } from 'zod';
import type { McpServerConfig } from '../config/files/mcp-servers';
import { textOf } from '../message/part.text';
import type { JsonSchema, ToolDescription } from '../message/tool-description';
import { strictSchema } from '../tools/strict-schema';
import type { Tool, ToolAnnotations, ToolContext } from '../tools/tool';
import { ToolError } from '../tools/tool.error';
import { ToolResult } from '../tools/tool.result';
import type { McpConnection } from './mcp.connection';
import { fromMcpResult, type McpToolResult } from './mcp.content';
import type { McpDefinition } from './mcp.definitions';
import { toToolError } from './mcp.failure';
import { argumentsSchema, resultCheck } from './mcp.schema';

/** A call that reports progress may take so many times as long as it may be silent, but no longer than a day. */
const TIMES_SILENCE = 10;
const DAY_MS = 86_400_000;
const MAX_ERROR_LENGTH = 2_000;
const MAX_DETAIL_LENGTH = 1_000;

/** One tool of a server. */
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
  private fits?: (value: unknown) => boolean;

  constructor(
    readonly name: string,
    private readonly definition: McpDefinition,
    private readonly server: McpServerConfig,
    private readonly connection: McpConnection,
    /** It is no longer what it was when this process first saw it. */
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
    this.offered = offer(this);
    this.annotations = definition.annotations;
    const { trusted = [] } = server;
    this.trusted =
      !changed && (trusted.includes('*') || trusted.includes(definition.name));
    this.needsApproval = changed || mayDestroy(definition.annotations);
    this.totalMs = Math.min(TIMES_SILENCE * server.timeoutMs, DAY_MS);
    this.timeoutMs = this.totalMs + server.connectTimeoutMs;
  }

  /** @throws ToolError, or the reason of the signal. */
  async run(
    args: Record<string, unknown>,
    context: ToolContext,
  ): Promise<ToolResult> {
    const result = await this.call(args, context);
    if (result.isError) throw new ToolError('TOOL_ERROR', saidBy(result));
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
        silenceMs: this.server.timeoutMs,
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

  /** Compiled at the first result: most tools are never called. */
  private checkResult({ structuredContent: value }: McpToolResult): void {
    if (!this.returns) return;
    this.fits ??= resultCheck(this.returns);
    if (value !== undefined && this.fits(value)) return;
    const message = 'The tool returned something else than it promises.';
    throw new ToolError('INVALID_RESULT', message);
  }
}

/** What a server does not say is taken for the worst, as the protocol has it. */
function mayDestroy({ readOnlyHint, destructiveHint }: ToolAnnotations) {
  return readOnlyHint !== true && destructiveHint !== false;
}

function offer({
  name,
  description,
  parameters,
  returns,
}: McpTool): ToolDescription {
  const common = { name, description, ...(returns && { returns }) };
  try {
    return { ...common, parameters: strictSchema(parameters) };
  } catch {
    // It says what strict mode cannot.
    return { ...common, parameters, strict: false };
  }
}

function saidBy(result: McpToolResult): string {
  const said = textOf(fromMcpResult(result)).trim();
  return said.slice(0, MAX_ERROR_LENGTH) || 'The tool failed without a word.';
}
