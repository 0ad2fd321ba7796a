import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from './api-error';
import type { Dialect } from './dialect';
import type { FailedCreate, LiteLlmWording } from './litellm-wording';
import { inLiteLlmWording } from './litellm-wording';

/** A request in progress: `path` has no `/v1` or `/openai/v1` prefix, `body` is null without one. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly raw: string;
  readonly body: unknown;
}

const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

export async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > BODY_LIMIT_BYTES)
      throw new ApiError(413, 'Request body too large.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A header on every response that no model produced it, in addition to those of a real upstream. */
export function setUpstreamHeaders(res: ServerResponse): void {
  res.setHeader('x-sonde-sandbox', 'true');
  res.setHeader('x-request-id', `req_${randomUUID().replaceAll('-', '')}`);
  res.setHeader('openai-version', '2020-10-01');
  res.setHeader('x-ratelimit-limit-requests', '10000');
  res.setHeader('x-ratelimit-remaining-requests', '9999');
  res.setHeader('x-ratelimit-reset-requests', '6ms');
}

export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
): void {
  if (res.destroyed || res.headersSent) return;
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

/** The body in `drops` pieces, with a pause before each. */
export async function dripJson(
  res: ServerResponse,
  body: unknown,
  drops: number,
  pause: () => Promise<unknown>,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const size = Math.ceil(bytes.length / drops);
  res.writeHead(200, { 'content-type': 'application/json' });
  res.flushHeaders();
  for (let from = 0; from < bytes.length; from += size) {
    await pause();
    if (res.destroyed) return;
    res.write(bytes.subarray(from, from + size));
  }
  res.end();
}

export interface ErrorForm {
  dialect: Dialect;
  litellm: LiteLlmWording | null;
}

/** `create`: the request that failed, if it was one. */
export function errorBody(
  error: ApiError,
  { dialect, litellm }: ErrorForm,
  create?: FailedCreate,
): unknown {
  if (litellm && create) return inLiteLlmWording(error, create, litellm);
  const { message, type, param, code, status, more } = error;
  return dialect === 'openai'
    ? { error: { message, type, param, code, ...more } }
    : {
        error: {
          message: `litellm.APIError: OpenAIException - ${message}. Received Model Group=sandbox`,
          type,
          param: param ?? 'None',
          code: String(status),
        },
      };
}

export function sendError(
  res: ServerResponse,
  error: unknown,
  form: ErrorForm,
  create?: FailedCreate,
): void {
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(
          500,
          `The sandbox failed: ${String(error)}`,
          null,
          null,
          'server_error',
        );
  sendJson(res, known.status, errorBody(known, form, create));
}
