import type { ServerResponse } from 'node:http';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { CallerIdentity } from '../../platform/auth/caller';

/** Reports that a call goes on; `progress` only grows. */
export type ReportProgress = (step: {
  progress: number;
  message: string;
}) => Promise<void>;

/** One request of a client of the protocol. */
export interface McpCall {
  readonly caller: CallerIdentity;
  readonly requestId: string;
  /** Headers of it that go on to the model endpoint. */
  readonly forwarded: Readonly<Record<string, string>> | undefined;
  readonly response: ServerResponse;
  /** Ends waits, never runs: the client has disconnected, or this process shuts down. */
  readonly wanted: AbortSignal;
  readonly shutdown: AbortSignal;
  /** Undefined: the client wants no progress. */
  readonly progress?: ReportProgress;
}

export type Arguments = Record<string, unknown>;

export interface McpTool {
  readonly definition: Tool;
  /** Of an API key that has scopes of its own: a route of the API, or a tool of it. */
  readonly needs: { route: 'chat' | 'read' | 'tools' } | { tool: string };
  /** @throws AppError, which becomes an error of the tool. */
  call(args: Arguments, call: McpCall): Promise<CallToolResult>;
}
