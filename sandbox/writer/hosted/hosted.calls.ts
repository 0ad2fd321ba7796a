import type {
  ResponseFunctionWebSearch,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import type { PrivateFile } from '../../corpus/private-files';
import { newId } from '../../wire/ids';
import type { Ask, McpServer } from '../request/ask';

/** A red square of 8 by 8 pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mM4YaOBFTEMLQkAdntLAWbUZrkAAAAASUVORK5CYII=';

type WebAction = ResponseFunctionWebSearch['action'];

export const webCall = (action: WebAction): ResponseFunctionWebSearch => ({
  id: newId('ws'),
  type: 'web_search_call',
  status: 'completed',
  action,
});

export const searchCall = (ask: Ask, query: string, urls: string[]) =>
  webCall({
    type: 'search',
    query,
    queries: [query],
    ...(ask.wantsSources && {
      sources: urls.map((url) => ({ type: 'url', url })),
    }),
  });

export const fileSearchCall = (
  ask: Ask,
  query: string,
  found: PrivateFile[],
): ResponseOutputItem => ({
  id: newId('fs'),
  type: 'file_search_call',
  status: 'completed',
  queries: [query],
  results: ask.wantsResults
    ? found.map(({ id, filename, paragraphs }) => ({
        file_id: id,
        filename,
        score: 1,
        text: paragraphs.join('\n'),
        attributes: {},
      }))
    : null,
});

export const codeCall = (code: string): ResponseOutputItem => ({
  id: newId('ci'),
  type: 'code_interpreter_call',
  status: 'completed',
  code,
  container_id: newId('cntr'),
  outputs: null,
});

export const imageCall = (): ResponseOutputItem =>
  ({
    id: newId('ig'),
    type: 'image_generation_call',
    status: 'completed',
    output_format: 'png',
    result: PNG,
  }) as ResponseOutputItem;

const MCP_TOOLS = {
  search: { query: { type: 'string' } },
  fetch: { id: { type: 'string' } },
};

const allowed = ({ allowedTools }: McpServer, tool: string) =>
  !allowedTools || allowedTools.includes(tool);

/** The tools of a server, listed once in a conversation. */
export function listCalls({ mcpServers, items }: Ask): ResponseOutputItem[] {
  const known = items.flatMap((item) =>
    item.type === 'mcp_list_tools' ? item.server_label : [],
  );
  return mcpServers
    .filter(({ label }) => !known.includes(label))
    .map((server) => ({
      id: newId('mcpl'),
      type: 'mcp_list_tools',
      server_label: server.label,
      tools: Object.entries(MCP_TOOLS)
        .filter(([name]) => allowed(server, name))
        .map(([name, properties]) => ({
          name,
          description: `Of the private files: ${name}.`,
          input_schema: { type: 'object', properties },
          annotations: { readOnlyHint: true },
        })),
    }));
}

/** A search and its best file, or an approval request, which ends the turn. */
export function mcpCalls(
  server: McpServer,
  query: string,
  found: PrivateFile[],
): ResponseOutputItem[] {
  const call = (name: string, args: object, output: object) =>
    allowed(server, name)
      ? [
          {
            id: newId('mcp'),
            type: 'mcp_call' as const,
            status: 'completed' as const,
            server_label: server.label,
            name,
            arguments: JSON.stringify(args),
            output: JSON.stringify(output),
            error: null,
            approval_request_id: null,
          },
        ]
      : [];
  if (!server.approved)
    return [
      {
        id: newId('mcpr'),
        type: 'mcp_approval_request',
        server_label: server.label,
        name: 'search',
        arguments: JSON.stringify({ query }),
      },
    ];
  const results = found.map(({ id, title, url }) => ({ id, title, url }));
  const [best] = found;
  return [
    ...call('search', { query }, { results }),
    ...(best
      ? call(
          'fetch',
          { id: best.id },
          {
            id: best.id,
            title: best.title,
            text: best.paragraphs.join('\n'),
            url: best.url,
          },
        )
      : []),
  ];
}
