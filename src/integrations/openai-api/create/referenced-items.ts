import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../../platform/auth/caller';
import { AppError } from '../../../platform/errors';
import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import { OwnedRuns } from '../../../runs/http/owned-runs';
import { invocationOfItem } from '../response-id';
import { MAX_ITEMS } from './create-input';

/** What a step of an earlier research stands for in a conversation: its report says everything. */
const STEP = { type: 'reasoning' };

/** Programs send the ids of items in the place of those that were stored. */
@Injectable()
export class ReferencedItems {
  constructor(private readonly owned: OwnedRuns) {}

  /**
   * The body with the items themselves, those of the caller's own research.
   * @throws OpenAiRefusal for an item that is not on record.
   */
  async resolve(body: unknown, caller: CallerIdentity): Promise<unknown> {
    const { input } = Object(body) as { input?: unknown };
    if (!Array.isArray(input) || input.length > MAX_ITEMS) return body;
    if (!input.some(isReference)) return body;
    const items: unknown[] = [];
    for (const [at, item] of input.entries())
      items.push(
        isReference(item) ? await this.itemOf(item.id, at, caller) : item,
      );
    return { ...(body as object), input: items };
  }

  private async itemOf(
    id: string,
    at: number,
    caller: CallerIdentity,
  ): Promise<object> {
    const { kind, invocationId } = invocationOfItem(id) ?? {};
    if (invocationId === undefined) throw notFound(id, at);
    try {
      const { text } = await this.owned.open(invocationId, caller);
      if (kind !== 'msg') return STEP;
      if (text) return { role: 'assistant', content: text };
    } catch (error) {
      const isUnknown = error instanceof AppError && error.status === 404;
      if (!isUnknown) throw error;
    }
    throw notFound(id, at);
  }
}

function isReference(item: unknown): item is { id: string } {
  const { type, id } = Object(item) as Record<string, unknown>;
  return type === 'item_reference' && typeof id === 'string';
}

function notFound(id: string, at: number): OpenAiRefusal {
  return new OpenAiRefusal(
    'invalid_value',
    `Item with id '${id.slice(0, 100)}' not found: those of research are kept with its record, those of chats are not. Send the item itself, as programs do with 'store: false'.`,
    `input[${at}].id`,
  );
}
