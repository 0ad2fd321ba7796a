import {
  ERROR_FIELDS,
  EVENT_DATA,
  eventName,
  eventOf,
  INTEGER,
  object,
  oneOf,
  ref,
  type Schema,
  TEXT,
  unionOf,
} from '../../runs/http/events/run-event.schema';
import { CHAT_STATUSES } from '../dto/chat-response.dto';
import type { ChatEvent } from './chat-event';
import { PART_TYPES, ROLES } from '../dto/message.dto';

/** An object whose fields may all be absent, but for those that are required. */
const partial = (
  properties: Record<string, Schema>,
  ...required: readonly string[]
): Schema =>
  object(
    properties,
    Object.keys(properties).filter((name) => !required.includes(name)),
  );

const list = (items: Schema): Schema => ({ type: 'array', items });

const PART_DELTA = partial(
  {
    index: INTEGER,
    type: oneOf(...PART_TYPES),
    text: TEXT,
    image: partial({ url: TEXT, data: TEXT, mime_type: TEXT }),
    function: partial({ id: TEXT, name: TEXT, arguments: TEXT }),
    value: { description: 'Any JSON.' },
  },
  'index',
);

const TOOL_CALL_DELTA = partial(
  {
    index: INTEGER,
    type: oneOf('function'),
    id: TEXT,
    function: partial({ name: TEXT, arguments: TEXT }),
  },
  'index',
);

const MESSAGE_DELTA: Schema = {
  description:
    'What one event adds to a message. `index` identifies a part or a call: text, Base64 data and arguments with the same ' +
    'index are joined, every other field arrives whole. Each turn of the model has a text part of its own; the last is the answer.',
  ...partial({
    id: TEXT,
    role: oneOf(...ROLES),
    contents: list(PART_DELTA),
    thinking: TEXT,
    tool_calls: list(TOOL_CALL_DELTA),
    tool_call_id: TEXT,
    name: TEXT,
  }),
};

/** The text of a completed run is in the result of its call. */
const PROGRESS_DATA = { ...EVENT_DATA, completed: { type: 'object' } };

const TOOL_PROGRESS: Schema = {
  description: 'An event of the invocation that a tool call has started.',
  oneOf: Object.entries(PROGRESS_DATA).map(([type, data]) =>
    eventOf(type, data, { call_id: TEXT }),
  ),
};

const CHAT_ERROR_DATA: Schema = {
  description:
    '`reply`: of a chat that called tools, with what they gave, such as the research and its citations.',
  ...object(
    {
      ...ERROR_FIELDS,
      retryable: { type: 'boolean' },
      reply: ref('ChatResponseDto'),
    },
    ['retryable', 'reply'],
  ),
};

const DATA: Record<ChatEvent['type'] | 'status' | 'requires_action', Schema> = {
  status: object({ status: oneOf(...CHAT_STATUSES) }),
  delta: ref('MessageDelta'),
  tool_call: ref('ToolCallDto'),
  tool_progress: ref('ToolProgress'),
  tool_result: ref('ToolResultDto'),
  handoff: {
    description:
      'An agent has handed the conversation over: `to` takes the next turn.',
    ...object({ from: TEXT, to: TEXT }),
  },
  requires_action: ref('RequiredActionDto'),
  completed: {
    description: 'The reply; of a chat on record with its times.',
    anyOf: [ref('ChatDto'), ref('ChatResponseDto')],
  },
  error: CHAT_ERROR_DATA,
};

/** A frame: the JSON of its data has no type. */
const frameOf = (type: string, data: Schema): Schema =>
  object({ id: TEXT, event: oneOf(type), data });

const named = Object.entries(DATA).map(([type, data]) => [
  eventName('Chat', type),
  frameOf(type, data),
]);

/** The components that describe the event stream of a chat. */
export const CHAT_EVENT_SCHEMAS: Record<string, Schema> = {
  ...(Object.fromEntries(named) as Record<string, Schema>),
  ChatGapEvent: object({ event: oneOf('gap'), data: ref('Gap') }),
  ChatEvent: unionOf(
    'Chat',
    [...Object.keys(DATA), 'gap'],
    'event',
    'One frame by the fields of an event stream: `id`, `event`, and `data` as the JSON of its `data` line, which does not have the ' +
      'type. `completed`, `error` or `gap` is the last. A streamed request has no `status`, `requires_action` and `gap`. ' +
      'Later versions may add events and fields.',
  ),
  MessageDelta: MESSAGE_DELTA,
  ToolProgress: TOOL_PROGRESS,
};

/** The 200 of the events of a chat. */
export const CHAT_EVENT_STREAM = {
  'text/event-stream': { schema: ref('ChatEvent') },
};
