import OpenAI from 'openai';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { OpenAiSchemas } from './openai-schemas';

/** The SDK of OpenAI at the door of a service. It repeats nothing by itself unless it is told to. */
export function openAi(
  url: string,
  key = 'any',
  options: { maxRetries?: number; fetch?: typeof fetch } = {},
): OpenAI {
  return new OpenAI({
    baseURL: `${url}/v1`,
    apiKey: key,
    maxRetries: 0,
    ...options,
  });
}

/** What came, checked against the types of the SDK, up to `most` events. */
export async function checked(
  schemas: OpenAiSchemas,
  stream: AsyncIterable<ResponseStreamEvent>,
  most = Infinity,
): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) {
    schemas.expectEvent(event);
    events.push(event);
    if (events.length >= most) break;
  }
  return events;
}

/** The response that the last event carries. */
export function endOf(events: readonly ResponseStreamEvent[]): Response {
  const last = events.at(-1);
  if (last && 'response' in last) return last.response;
  throw new Error(`no end: ${JSON.stringify(last)}`);
}

/** Without what the SDK adds itself. */
export function wire(response: Response): object {
  const {
    output_text: _,
    _request_id,
    ...rest
  } = response as Response & {
    _request_id?: string;
  };
  return rest;
}

/** What a call was refused with. */
export async function refusal(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) throw error;
    const { status, code, param, type, message, headers } = error;
    return { status, code, param, type, message, headers };
  }
  throw new Error('It was not refused.');
}
