import type {
  ResponseFileSearchToolCall,
  ResponseFunctionWebSearch,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { ProgressData } from '../../../runs/record/progress';
import type { Unnumbered } from '../../../platform/http/openai/response-shape';
import { itemIdOf } from '../response-id';

type Item =
  | ResponseFunctionWebSearch
  | ResponseFileSearchToolCall
  | ResponseReasoningItem;

/** An item that one step of a run has become, and the events of its whole life. */
export interface ProgressItem {
  item: Item;
  events: Unnumbered[];
}

/** Undefined for steps that no item of OpenAI stands for. */
export function progressItem(
  { kind, detail }: ProgressData,
  digits: string,
  index: number,
): ProgressItem | undefined {
  const webId = itemIdOf('ws', digits, index);
  switch (kind) {
    case 'web_search':
      return webCall(index, webId, {
        type: 'search',
        query: detail,
        queries: [detail],
      });
    case 'open_page':
      return webCall(index, webId, { type: 'open_page', url: detail });
    case 'find_in_page':
      return webCall(index, webId, {
        type: 'find_in_page',
        pattern: detail,
        url: '',
      });
    case 'file_search':
      return fileSearch(index, itemIdOf('fs', digits, index), detail);
    case 'reasoning':
      return reasoning(index, itemIdOf('rs', digits, index), detail);
    default:
      return undefined;
  }
}

function webCall(
  output_index: number,
  id: string,
  action: ResponseFunctionWebSearch['action'],
): ProgressItem {
  const item = {
    id,
    type: 'web_search_call' as const,
    status: 'completed' as const,
    action,
  };
  const at = { output_index, item_id: id };
  return whole(output_index, item, { ...item, status: 'in_progress' }, [
    { type: 'response.web_search_call.in_progress', ...at },
    { type: 'response.web_search_call.searching', ...at },
    { type: 'response.web_search_call.completed', ...at },
  ]);
}

function fileSearch(
  output_index: number,
  id: string,
  query: string,
): ProgressItem {
  const item = {
    id,
    type: 'file_search_call' as const,
    status: 'completed' as const,
    queries: [query],
    results: null,
  };
  const at = { output_index, item_id: id };
  return whole(output_index, item, { ...item, status: 'in_progress' }, [
    { type: 'response.file_search_call.in_progress', ...at },
    { type: 'response.file_search_call.searching', ...at },
    { type: 'response.file_search_call.completed', ...at },
  ]);
}

function reasoning(
  output_index: number,
  id: string,
  text: string,
): ProgressItem {
  const part = { type: 'summary_text' as const, text };
  const item = { id, type: 'reasoning' as const, summary: [part] };
  const at = { output_index, item_id: id, summary_index: 0 };
  return whole(output_index, item, { ...item, summary: [] }, [
    {
      type: 'response.reasoning_summary_part.added',
      ...at,
      part: { ...part, text: '' },
    },
    { type: 'response.reasoning_summary_text.delta', ...at, delta: text },
    { type: 'response.reasoning_summary_text.done', ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part },
  ]);
}

function whole(
  output_index: number,
  item: Item,
  added: Item,
  between: Unnumbered[],
): ProgressItem {
  return {
    item,
    events: [
      { type: 'response.output_item.added', output_index, item: added },
      ...between,
      { type: 'response.output_item.done', output_index, item },
    ],
  };
}
