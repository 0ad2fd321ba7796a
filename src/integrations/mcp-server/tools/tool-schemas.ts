import type { Tool } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../../../platform/message/tool-description';
import { RESULT_SCHEMA } from './run-result';

type InputSchema = Tool['inputSchema'];

const IDEMPOTENCY: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Calls with the same key and arguments are one run for 24 h.',
};

/** A tool whose result has the shape that all of this server have. */
export function definition(
  name: string,
  title: string,
  description: string,
  inputSchema: InputSchema,
  annotations: Tool['annotations'],
): Tool {
  const outputSchema = RESULT_SCHEMA as Tool['outputSchema'];
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** The arguments of a tool of the API, and a key that makes a call repeatable. */
export function repeatable(parameters: JsonSchema): InputSchema {
  const { properties } = parameters as { properties?: JsonSchema };
  return {
    ...parameters,
    type: 'object',
    properties: { ...properties, idempotency_key: IDEMPOTENCY },
  } as InputSchema;
}

/** The arguments of a tool that works on one run. */
export function ofOneRun(more: JsonSchema = {}): InputSchema {
  return {
    type: 'object',
    properties: {
      invocation_id: {
        type: 'string',
        description: 'As research or research_start returned it: inv_….',
      },
      ...more,
    },
    required: ['invocation_id'],
    additionalProperties: false,
  } as InputSchema;
}
