import { randomUUID } from 'node:crypto';

/** The arguments of a call as a model wrote them; null unless they are one JSON object. */
export function parseCallArguments(
  json: string,
): Record<string, unknown> | null {
  try {
    // Some models send an empty string for a call without arguments.
    const value: unknown = JSON.parse(json.trim() || '{}');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * The name of a call in a form that every endpoint accepts: one invalid name makes an endpoint reject the whole
 * conversation.
 */
export function callableName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
}

/** Replaces ids that are empty or in `taken`, and adds all to it: some servers restart their ids in every turn, or send none. */
export function withUniqueIds<C extends { callId: string }>(
  calls: readonly C[],
  taken: Set<string>,
): C[] {
  return calls.map((call) => {
    const isNew = call.callId !== '' && !taken.has(call.callId);
    const callId = isNew ? call.callId : newCallId();
    taken.add(callId);
    return { ...call, callId };
  });
}

/** An id for a call that came without one. Chat Completions accepts at most 40 characters. */
export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
