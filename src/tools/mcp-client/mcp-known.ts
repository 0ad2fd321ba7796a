import { createHash } from 'node:crypto';
import type { McpDefinition } from './mcp-definitions';

/** A server with more tools than this over the lifetime of the process is not trusted with further ones. */
const MAX_KNOWN = 10_000;

/**
 * The tool definitions of a server as first seen. A definition that changes later, in its description, hints or
 * schemas, is not the one that the operator trusted: a server cannot gain trust and then repurpose a tool.
 */
export class KnownDefinitions {
  private readonly prints = new Map<string, string>();

  isChanged(definition: McpDefinition): boolean {
    const { name } = definition;
    const print = fingerprint(definition);
    const known = this.prints.get(name);
    if (known !== undefined) return known !== print;
    if (this.prints.size >= MAX_KNOWN) return true;
    this.prints.set(name, print);
    return false;
  }
}

function fingerprint(definition: McpDefinition): string {
  const { description, inputSchema, outputSchema, annotations } = definition;
  const content = { description, inputSchema, outputSchema, annotations };
  return createHash('sha256').update(sortedJson(content)).digest('base64');
}

/** JSON with sorted keys: their order has no meaning. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(
          Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : item,
  );
}
