import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Stream } from 'node:stream';
import type { McpServerConfig } from '../../config/files/mcp-servers';
import { HttpTransport } from './http.transport';
import { MAX_MESSAGE_BYTES } from './message.limit';
import { SseTransport } from './sse.transport';

/** Of one line that a program writes to its standard error. */
const MAX_LINE = 1_000;

/** What a server is spoken to over. `onLine` is told what a program writes to its standard error. */
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

/** Read in any case: a program whose pipe is full stands still. */
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
