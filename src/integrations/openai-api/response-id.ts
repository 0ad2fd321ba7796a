import { OpenAiRefusal } from '../../platform/http/openai/openai-error';
import { digitsOf } from '../../runs/record/run-id';

const RESPONSE = /^resp_([0-9a-f]{32})$/;

/** A run, its response and its items have their digits in common. */
export function responseIdOf(invocationId: string): string {
  return `resp_${digitsOf(invocationId)}`;
}

/** Undefined for an id that no response has. */
export function invocationIdOf(responseId: string): string | undefined {
  const [, digits] = RESPONSE.exec(responseId) ?? [];
  return digits && `inv_${digits}`;
}

/** Of the item at `index`, the same in every event and reply. */
export function itemIdOf(
  prefix: 'fs' | 'in' | 'msg' | 'rs' | 'ws',
  digits: string,
  index: number,
): string {
  return `${prefix}_${digits}${index.toString(16).padStart(4, '0')}`;
}

/** The run of an item, and the prefix of its id; undefined for an id that no item of research has. */
export function invocationOfItem(
  itemId: string,
): { kind: string; invocationId: string } | undefined {
  const [, kind, digits] =
    /^(fs|in|msg|rs|ws)_([0-9a-f]{32})[0-9a-f]{4}$/.exec(itemId) ?? [];
  return kind ? { kind, invocationId: `inv_${digits}` } : undefined;
}

/** The same for an id that is unknown, has expired or belongs to another key. */
export function responseNotFound(id: string): OpenAiRefusal {
  const shown = id.slice(0, 100);
  return new OpenAiRefusal(
    'response_not_found',
    `Response with id '${shown}' not found.`,
    'response_id',
    404,
  );
}
