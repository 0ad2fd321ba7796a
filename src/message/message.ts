export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** One turn of a conversation, in the terms of no particular endpoint. */
export interface Message {
  id?: string;
  role: Role;
  contents: Part[];
  /** What a model thought on the way. Never sent back to one. */
  thinking?: string;
  tool_calls?: ToolCall[];
  /** Of a `tool` message: the call that it answers. */
  tool_call_id?: string;
  name?: string;
}

export type Part = TextPart | ImagePart | FunctionPart | ValuePart;

export interface TextPart {
  type: 'text';
  text: string;
}

export interface ImagePart {
  type: 'image';
  image: Image;
}

/** Either a place to fetch it from, or the bytes in Base64. */
export interface Image {
  url?: string;
  data?: string;
  mime_type?: string;
}

/** A call as it was said in a text, before anybody parsed its arguments. */
export interface FunctionPart {
  type: 'function';
  function: { id?: string; name: string; arguments: string };
}

/** Any JSON value, e.g. what a tool returned. */
export interface ValuePart {
  type: 'value';
  value: unknown;
}

export interface ToolCall {
  type: 'function';
  id?: string;
  function: { name: string; arguments: Record<string, unknown> };
}
