import type { Part } from './message';

/** Parts as one text, a line or more for each; values and calls as JSON. Images are left out. */
export function textOf(parts: readonly Part[]): string {
  const texts = parts.map(partText).filter((text) => text !== undefined);
  return texts.join('\n');
}

function partText(part: Part): string | undefined {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'function':
      return JSON.stringify(part.function);
    case 'value':
      return JSON.stringify(part.value ?? null);
    case 'image':
      return undefined;
  }
}
