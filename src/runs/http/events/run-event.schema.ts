import type { ChatEventType, LogEvent } from '../../record/run-event';
import type { ProgressKind } from '../../record/progress';
import { MODES, STATUSES } from '../../record/run';

/** JSON Schema, as a component of the contract. */
export type Schema = Record<string, unknown>;

export const TEXT: Schema = { type: 'string' };
export const INTEGER: Schema = { type: 'integer' };

export const ref = (name: string): Schema => ({
  $ref: `#/components/schemas/${name}`,
});

export const oneOf = (...values: readonly string[]): Schema => ({
  type: 'string',
  enum: values,
});

/** @param optional the fields that may be absent. */
export const object = (
  properties: Record<string, Schema>,
  optional: readonly string[] = [],
): Schema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** One of the components `<prefix><type>Event`, by the field that has the type. */
export function unionOf(
  prefix: string,
  types: readonly string[],
  propertyName: string,
  description: string,
): Schema {
  const members = types.map(
    (type) => [type, ref(eventName(prefix, type)).$ref] as const,
  );
  return {
    description,
    oneOf: members.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName, mapping: Object.fromEntries(members) },
  };
}

/** `tool_call` of a chat: `ChatToolCallEvent`. */
export function eventName(prefix: string, type: string): string {
  const words = type
    .split('_')
    .map((word) => word[0].toUpperCase() + word.slice(1));
  return `${prefix}${words.join('')}Event`;
}

/** The types of events that every kind of run but a chat has. */
type InvocationEventType = Exclude<LogEvent['type'], ChatEventType>;

const PROGRESS_KINDS: Record<ProgressKind, true> = {
  web_search: true,
  open_page: true,
  find_in_page: true,
  code_interpreter: true,
  mcp: true,
  file_search: true,
  reasoning: true,
  tool: true,
  waiting: true,
};

export const ERROR_FIELDS = {
  code: { ...TEXT, example: 'upstream_timeout' },
  message: { ...TEXT, description: 'Safe to show.' },
};

const ERROR_DATA = object(ERROR_FIELDS);

/** `data` of the events of an invocation. */
export const EVENT_DATA: Record<InvocationEventType, Schema> = {
  status: object({ mode: oneOf(...MODES) }),
  progress: object(
    {
      kind: oneOf(...Object.keys(PROGRESS_KINDS)),
      detail: TEXT,
      progress: { type: 'number', description: 'Done of `total`.' },
      total: { type: 'number' },
      notes: {
        ...INTEGER,
        description: 'Quotes kept of the part of a page that was read.',
      },
    },
    ['progress', 'total', 'notes'],
  ),
  output_text: object({
    text: {
      ...TEXT,
      description: 'All of them joined are `output_text` of the record.',
    },
  }),
  requires_action: ref('RequiredPlanDto'),
  completed: object({ output_text: TEXT }),
  error: ERROR_DATA,
};

/** What every event of an invocation has. */
export const eventOf = (
  type: string,
  data: Schema,
  more: Record<string, Schema> = {},
): Schema =>
  object({
    ...more,
    invocation_id: TEXT,
    type: oneOf(type),
    status: oneOf(...STATUSES),
    data,
  });

const named = Object.entries(EVENT_DATA).map(([type, data]) => [
  eventName('Invocation', type),
  eventOf(type, data),
]);

/** The components that describe the event stream of an invocation. */
export const INVOCATION_EVENT_SCHEMAS: Record<string, Schema> = {
  ...(Object.fromEntries(named) as Record<string, Schema>),
  InvocationEvent: unionOf(
    'Invocation',
    Object.keys(EVENT_DATA),
    'type',
    'The JSON of one `data` line; `type` is the `event` of the frame too. `completed` or `error` is the last. ' +
      'Later versions may add types and fields.',
  ),
  Gap: {
    ...object({ requested: TEXT, earliest: TEXT, latest: TEXT }),
    description:
      'The JSON of the `data` line of a frame whose `event` is `gap`, which has no id: the requested event is not in the log. ' +
      'It is the only frame then.',
  },
};

/** The 200 of the events of an invocation. */
export const INVOCATION_EVENT_STREAM = {
  'text/event-stream': {
    schema: {
      description: 'The JSON of the `data` line of one frame of the stream.',
      anyOf: [ref('InvocationEvent'), ref('Gap')],
    },
  },
};
