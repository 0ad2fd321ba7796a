import createClient, { type Middleware } from 'openapi-fetch';
import { ApiError, toApiError } from './problem';
import type { components, paths } from './schema';
import { apiKey, authorization, BASE, keyEnded, signOut } from './session';

export type Schemas = components['schemas'];
export type Invocation = Schemas['InvocationDto'];

/** Sends the key, and turns every refusal into an `ApiError`. */
const gate: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(authorization()))
      request.headers.set(name, value);
    return request;
  },
  async onResponse({ response }) {
    if (response.ok || response.status === 304) return undefined;
    throw await refusal(response);
  },
  onError() {
    return new ApiError(0, undefined);
  },
};

/** The calls of openapi.json, by its types. */
export const api = createClient<paths>({ baseUrl: BASE.replace(/\/$/, '') });
api.use(gate);

/** The body of a successful reply. */
export async function read<T>(
  call: Promise<{ data?: T; error?: unknown }>,
): Promise<T> {
  return (await call).data as T;
}

/** A request that openapi-fetch has no types for: a file, a stream. */
export async function request(
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { ...authorization(), ...(init.headers as object) };
  const reply = await send(path, { ...init, headers });
  if (reply.ok) return reply;
  throw await refusal(reply);
}

/**
 * A request without the key.
 * @throws ApiError if there is no answer.
 */
export async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(new URL(path, BASE), init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, undefined);
  }
}

async function refusal(reply: Response): Promise<ApiError> {
  const error = await toApiError(reply);
  if (reply.status === 401 && apiKey.value !== null) {
    signOut();
    keyEnded.value = true;
  }
  return error;
}

/** For `Idempotency-Key`; `crypto.randomUUID` is missing on plain HTTP. */
export function uniqueKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (one) => one.toString(16).padStart(2, '0')).join('');
}
