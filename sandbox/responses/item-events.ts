import type {
  ResponseFunctionToolCall,
  ResponseFunctionWebSearch,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseOutputText,
  ResponseReasoningItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';

type WithoutNumber<T> = T extends unknown ? Omit<T, 'sequence_number'> : never;

/** A stream event without its sequence number. */
export type EventDraft = WithoutNumber<ResponseStreamEvent>;

/** Split by code points: a delta that splits a surrogate pair would arrive as two broken characters. */
export function pieces(text: string, size: number): string[] {
  const points = Array.from(text);
  const result: string[] = [];
  for (let i = 0; i < points.length; i += size)
    result.push(points.slice(i, i + size).join(''));
  return result;
}

const DELTAS_PER_TEXT = 30;
const SMALLEST_DELTA = 12;

const deltaSize = (text: string) =>
  Math.max(
    SMALLEST_DELTA,
    Math.ceil(Array.from(text).length / DELTAS_PER_TEXT),
  );

/** The events of an item, from `output_item.added` to `output_item.done`; `item` is its final form. */
export function eventsOf(
  item: ResponseOutputItem,
  index: number,
): EventDraft[] {
  const done: EventDraft = {
    type: 'response.output_item.done',
    output_index: index,
    item,
  };
  switch (item.type) {
    case 'reasoning':
      return [...reasoning(item, index), done];
    case 'web_search_call':
      return [...webSearch(item, index), done];
    case 'function_call':
      return [...functionCall(item, index), done];
    case 'message':
      return [...message(item, index), done];
    case 'file_search_call':
    case 'code_interpreter_call':
    case 'image_generation_call':
    case 'mcp_list_tools':
    case 'mcp_call':
      return [...hosted(item, index), done];
    default:
      return [added(item, index), done];
  }
}

const added = (item: ResponseOutputItem, index: number): EventDraft => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});

function reasoning(item: ResponseReasoningItem, index: number): EventDraft[] {
  const events = [added({ ...item, summary: [] }, index)];
  item.summary.forEach((part, summary_index) => {
    const at = { item_id: item.id, output_index: index, summary_index };
    events.push(
      {
        type: 'response.reasoning_summary_part.added',
        ...at,
        part: { type: 'summary_text', text: '' },
      },
      ...pieces(part.text, 40).map((delta): EventDraft => ({
        type: 'response.reasoning_summary_text.delta',
        ...at,
        delta,
      })),
      {
        type: 'response.reasoning_summary_text.done',
        ...at,
        text: part.text,
      },
      { type: 'response.reasoning_summary_part.done', ...at, part },
    );
  });
  return events;
}

function webSearch(
  item: ResponseFunctionWebSearch,
  index: number,
): EventDraft[] {
  const { action: _, ...withoutAction } = item;
  const at = { item_id: item.id, output_index: index };
  return [
    added(
      { ...withoutAction, status: 'in_progress' } as ResponseFunctionWebSearch,
      index,
    ),
    { type: 'response.web_search_call.in_progress', ...at },
    { type: 'response.web_search_call.searching', ...at },
    { type: 'response.web_search_call.completed', ...at },
  ];
}

const PHASES = {
  file_search_call: ['in_progress', 'searching', 'completed'],
  code_interpreter_call: ['in_progress', 'interpreting', 'completed'],
  image_generation_call: ['in_progress', 'generating', 'completed'],
  mcp_list_tools: ['in_progress', 'completed'],
  mcp_call: ['in_progress', 'completed'],
};
/** Fields that are still empty when an item is added. */
const LATE = { results: null, result: null, output: null, outputs: null };

type HostedItem = ResponseOutputItem & { type: keyof typeof PHASES };

function hosted(item: HostedItem, index: number): EventDraft[] {
  const at = { item_id: item.id, output_index: index };
  const early = Object.fromEntries(
    Object.entries(LATE).filter(([field]) => field in item),
  );
  const begun = { ...item, ...early, status: 'in_progress' };
  return [
    added(begun as ResponseOutputItem, index),
    ...PHASES[item.type].map(
      (phase) =>
        ({ type: `response.${item.type}.${phase}`, ...at }) as EventDraft,
    ),
  ];
}

function functionCall(
  item: ResponseFunctionToolCall,
  index: number,
): EventDraft[] {
  const at = { item_id: item.id ?? '', output_index: index };
  return [
    added({ ...item, arguments: '', status: 'in_progress' }, index),
    ...pieces(item.arguments, 32).map((delta): EventDraft => ({
      type: 'response.function_call_arguments.delta',
      ...at,
      delta,
    })),
    {
      type: 'response.function_call_arguments.done',
      ...at,
      arguments: item.arguments,
    },
  ];
}

function message(item: ResponseOutputMessage, index: number): EventDraft[] {
  const events = [
    added({ ...item, content: [], status: 'in_progress' }, index),
  ];
  item.content.forEach((part, content_index) => {
    if (part.type !== 'output_text') return;
    const at = { item_id: item.id, output_index: index, content_index };
    events.push(
      {
        type: 'response.content_part.added',
        ...at,
        part: { ...part, text: '', annotations: [] },
      },
      ...textWithAnnotations(part, at),
      {
        type: 'response.output_text.done',
        ...at,
        text: part.text,
        logprobs: [],
      },
      { type: 'response.content_part.done', ...at, part },
    );
  });
  return events;
}

function textWithAnnotations(
  part: ResponseOutputText,
  at: { item_id: string; output_index: number; content_index: number },
): EventDraft[] {
  const events: EventDraft[] = [];
  const size = deltaSize(part.text);
  let written = 0;
  let annotation_index = 0;
  for (const delta of pieces(part.text, size)) {
    events.push({
      type: 'response.output_text.delta',
      ...at,
      delta,
      logprobs: [],
    });
    written += size;
    for (; annotation_index < part.annotations.length; annotation_index++) {
      const annotation = part.annotations[annotation_index];
      if (annotation.type === 'url_citation' && annotation.end_index > written)
        break;
      events.push({
        type: 'response.output_text.annotation.added',
        ...at,
        annotation_index,
        annotation,
      });
    }
  }
  return events;
}
