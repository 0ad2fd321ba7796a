import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Stream } from 'node:stream';
import type { McpServerConfig } from '../../../config/files/mcp-file';
import { HttpTransport } from './http-transport';
import { MAX_MESSAGE_BYTES } from './message-limit';
import { SseTransport } from './sse-transport';

/** Maximum length of a line of standard error. */
const MAX_LINE = 1_000;

/** Opens the transport to a server. `onLine` receives the standard error of a program line by line. */
export function openTransport(
  server: McpServerConfig,
  onLine: (line: string) => void,
): StdioClientTransport | HttpTransport | SseTransport {
  if (server.kind === 'http')
    return server.sse ? new SseTransport(server) : new HttpTransport(server);
  const transport = new StdioClientTransport({
    command: server.command,
    args: [...server.args],
    env: { ...server.env },
    cwd: server.cwd,
    stderr: 'pipe',
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  readLines(transport.stderr, onLine);
  return transport;
}

/** Always read: a program whose pipe is full blocks. */
function readLines(
  stream: Stream | null,
  onLine: (line: string) => void,
): void {
  let rest = '';
  stream?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!.slice(0, MAX_LINE);
    for (const line of lines) onLine(line.slice(0, MAX_LINE));
  });
}
