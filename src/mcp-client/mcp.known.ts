import { createHash } from 'node:crypto';
import type { McpDefinition } from './mcp.definitions';

/** A server that names more tools than this in one life of the process is not believed about any further one. */
const MAX_KNOWN = 10_000;

/**
 * The tools of a server as they were first seen. One that says something else later, of itself, its hints or its schemas, is not
 * what the operator agreed to: so a server cannot earn trust and then use it for another purpose.
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
  const said = { description, inputSchema, outputSchema, annotations };
  return createHash('sha256').update(inOrder(said)).digest('base64');
}

/** As JSON whose keys are sorted: their order says nothing. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(
          Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : item,
  );
}
