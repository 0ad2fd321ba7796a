/** The most characters of a question, of instructions, and of one line of context. */
export const MAX_QUESTION_CHARS = 32_000;

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** One message of a conversation, independent of the protocol of any endpoint. */
export interface Message {
  id?: string;
  role: Role;
  contents: Part[];
  /** The reasoning of the model. It is never sent back to a model. */
  thinking?: string;
  tool_calls?: ToolCall[];
  /** Of a `tool` message: the call whose result it holds. */
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

/** Either a URL, or the bytes in Base64. */
export interface Image {
  url?: string;
  data?: string;
  mime_type?: string;
}

/** A call whose arguments are not parsed: they are as the model wrote them. */
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
