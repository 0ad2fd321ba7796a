import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../message/call.arguments';
import { renderDocuments } from '../message/document';
import { imageBytes } from '../message/image';
import type { ImagePart, Part } from '../message/message';
import { textOf } from '../message/part.text';

/** What a tool gives in the Model Context Protocol, as far as it is understood here. */
export interface McpToolResult {
  content: McpContent[];
  /** An object; since the revision 2026-07-28 any JSON value. */
  structuredContent?: unknown;
}

export type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: McpResource }
  | McpResourceLink;

/** Its text, or its bytes in Base64. */
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
 * The result as parts that a model can be told. What it cannot be shown is named in a text, so that it does not take the
 * result for all there is. Links stay texts, also those to images: nothing is fetched because a tool's server says so.
 */
export function fromMcpResult(result: McpToolResult): Part[] {
  const parts = (result.content ?? []).map(partOf);
  const { structuredContent: value } = result;
  // Some servers say null where there is none.
  if (value === undefined || value === null) return parts;
  // Servers tell it as a text too, for clients that know no better. Once is enough.
  const again = parts.findIndex((part) => tells(part, value));
  return again < 0
    ? [...parts, { type: 'value', value }]
    : parts.with(again, { type: 'value', value });
}

/**
 * Parts as a tool's result. The first value that is an object is `structuredContent`, and a text as well, as the
 * protocol wants it; older revisions allow no other values there, and no second one.
 */
export function toMcpResult(parts: readonly Part[]): McpToolResult {
  const structured = parts.find(
    (part) => part.type === 'value' && isObject(part.value),
  );
  return {
    content: parts.map(contentOf),
    ...(structured?.type === 'value' && {
      structuredContent: structured.value,
    }),
  };
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
      return leftOut(item.mimeType);
    default:
      return leftOut(unknownKind(item));
  }
}

function unknownKind({ type }: { type?: unknown }): string {
  return `content of ${typeof type === 'string' ? `the type ${type}` : 'an unknown type'}`;
}

function resourcePart({ uri, mimeType, text: said, blob }: McpResource): Part {
  if (said !== undefined) {
    return text(renderDocuments([{ title: uri, text: said }]));
  }
  if (blob !== undefined && mimeType?.startsWith('image/')) {
    return image(blob, mimeType);
  }
  return leftOut(`${uri} (${mimeType ?? 'of an unknown type'})`);
}

function contentOf(part: Part): McpContent {
  if (part.type !== 'image') return { type: 'text', text: textOf([part]) };
  const bytes = imageBytes(part.image);
  if (bytes) {
    return { type: 'image', data: bytes.data, mimeType: bytes.mime_type };
  }
  const { url: uri = '', mime_type: mimeType } = part.image;
  const link = { type: 'resource_link' as const, uri, name: 'image' };
  return mimeType === undefined ? link : { ...link, mimeType };
}

function tells(part: Part, value: unknown): boolean {
  if (part.type !== 'text') return false;
  try {
    return isDeepStrictEqual(JSON.parse(part.text), value);
  } catch {
    return false;
  }
}

function text(said: string): Part {
  return { type: 'text', text: said };
}

function image(data: string, mime_type: string): ImagePart {
  return { type: 'image', image: { data, mime_type } };
}

function leftOut(what: string): Part {
  return text(`[Left out: ${what}. Only texts and images can be shown.]`);
}
