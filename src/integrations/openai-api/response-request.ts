import type { ResponseItem, Tool } from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import type { RunRecord } from '../../runs/record/run-record';
import type { StoredFields } from '../../runs/record/stored-fields';
import { storedObject } from '../../runs/record/stored-fields';
import { DEFAULT_MODEL } from './research-models';
import { digitsOf } from '../../runs/record/run-id';
import { itemIdOf, responseIdOf } from './response-id';

/** The field of a record that is this room's own. */
export type ResponseField = 'response_request';

/** The text format of a request, with its defaults. */
export type TextFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema';
      name: string;
      schema: Record<string, unknown>;
      strict: boolean;
    };

/** What a response repeats of its request. Secrets of tools are never part of it. */
export interface ResponseRequest {
  model: string;
  /** With an id each, as `input_items` lists them. */
  input: InputItem[];
  instructions: string | null;
  background: boolean;
  store: boolean;
  metadata: Record<string, string>;
  tools: Tool[];
  include: string[];
  reasoning: Reasoning | null;
  maxToolCalls: number | null;
  previousResponseId: string | null;
  format: TextFormat;
  /** Of what was not kept of the request. */
  notices?: Notice[];
}

/** What a report does without, for the reader of its response. */
export interface Notice {
  param: string;
  message: string;
}

export type InputItem = Extract<ResponseItem, { type: 'message' }>;

/** A run as this API shows it: nothing of it changes while it is carried out. */
export interface ShownRun {
  readonly id: string;
  readonly createdMs: number;
  readonly request: ResponseRequest;
}

/** @param fields `response_request` and `args` of the record; a run of another door has only the latter. */
export function shownRun(
  { id, mode, createdMs, continuedFrom }: RunRecord,
  fields: StoredFields,
): ShownRun {
  const request = storedObject<ResponseRequest>(fields.response_request) ?? {
    ...plainRequest(id, fields.args),
    background: mode === 'background',
    previousResponseId: continuedFrom && responseIdOf(continuedFrom),
  };
  return { id, createdMs, request };
}

function plainRequest(id: string, args: string | undefined): ResponseRequest {
  const given = storedObject<{
    research_question?: string;
    system_prompt?: string;
  }>(args);
  const { research_question: text = '', system_prompt: instructions = null } =
    given ?? {};
  return {
    model: DEFAULT_MODEL,
    input: [
      {
        id: itemIdOf('in', digitsOf(id), 0),
        type: 'message',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_text', text }],
      },
    ],
    instructions,
    background: false,
    store: true,
    metadata: {},
    tools: [],
    include: [],
    reasoning: null,
    maxToolCalls: null,
    previousResponseId: null,
    format: { type: 'text' },
  };
}
