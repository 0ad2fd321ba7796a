import { isDeepStrictEqual } from 'node:util';
import { renderDocuments } from '../../platform/message/document';
import type { ImagePart, Part } from '../../platform/message/message';

/** The result of a tool in the Model Context Protocol, as far as it is understood. */
export interface McpToolResult {
  content: McpContent[];
  /** An object; any JSON value since revision 2026-07-28. */
  structuredContent?: unknown;
}

export type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: McpResource }
  | McpResourceLink;

/** Text, or bytes in Base64. */
export interface McpResource {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

export interface McpResourceLink {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

/**
 * Converts a result to parts for a model. Content that cannot be shown is named in a text, so that the model knows that
 * it exists. Links stay texts, also those to images: the service never fetches a URL from a tool result.
 */
export function fromMcpResult(result: McpToolResult): Part[] {
  const parts = (result.content ?? []).map(partOf);
  const { structuredContent: value } = result;
  // Some servers send null instead of omitting it.
  if (value === undefined || value === null) return parts;
  // Servers repeat it as a text for older clients; it is kept once.
  const duplicate = parts.findIndex((part) => isJsonOf(part, value));
  return duplicate < 0
    ? [...parts, { type: 'value', value }]
    : parts.with(duplicate, { type: 'value', value });
}

function partOf(item: McpContent): Part {
  switch (item.type) {
    case 'text':
      return text(item.text);
    case 'image':
      return image(item.data, item.mimeType);
    case 'resource':
      return resourcePart(item.resource);
    case 'resource_link': {
      const { title, name, uri, description } = item;
      const link = `${title ?? name}: ${uri}`;
      return text(description ? `${link}\n${description}` : link);
    }
    case 'audio':
      return omitted(item.mimeType);
    default:
      return omitted(unknownKind(item));
  }
}

function unknownKind({ type }: { type?: unknown }): string {
  return `content of ${typeof type === 'string' ? `the type ${type}` : 'an unknown type'}`;
}

function resourcePart({
  uri,
  mimeType,
  text: content,
  blob,
}: McpResource): Part {
  if (content !== undefined) {
    return text(renderDocuments([{ title: uri, text: content }]));
  }
  if (blob !== undefined && mimeType?.startsWith('image/')) {
    return image(blob, mimeType);
  }
  return omitted(`${uri} (${mimeType ?? 'of an unknown type'})`);
}

function isJsonOf(part: Part, value: unknown): boolean {
  if (part.type !== 'text') return false;
  try {
    return isDeepStrictEqual(JSON.parse(part.text), value);
  } catch {
    return false;
  }
}

function text(content: string): Part {
  return { type: 'text', text: content };
}

function image(data: string, mime_type: string): ImagePart {
  return { type: 'image', image: { data, mime_type } };
}

function omitted(what: string): Part {
  return text(`[Omitted: ${what}. Only texts and images can be shown.]`);
}
