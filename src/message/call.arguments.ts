import { randomUUID } from 'node:crypto';

/** The arguments of a call as a model wrote them; null if they are not one JSON object. */
export function parseCallArguments(
  json: string,
): Record<string, unknown> | null {
  try {
    // Some models write nothing where there is nothing to say.
    const value: unknown = JSON.parse(json.trim() || '{}');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The name of a call as any endpoint takes it back: one that no tool can have would end the whole conversation. */
export function callableName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
}

/** An id for a call that came without one. Chat Completions takes back no more than 40 characters. */
export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
