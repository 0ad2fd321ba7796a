import {
  ApiError,
  streamTooOld,
  unknownModel,
  unknownResponse,
} from '../wire/api-error';
import type { Fault } from './fault';
import type { Exchange } from '../wire/http';
import { errorBody } from '../wire/http';
import { createOf } from '../wire/litellm-wording';
import { isObject } from '../wire/json';
import type { SandboxState } from '../state';

/** Applies a fault instead of, or before, the response. True if there is nothing left to send. */
export async function strikeReply(
  fault: Fault,
  x: Exchange,
  state: SandboxState,
): Promise<boolean> {
  switch (fault.kind) {
    case 'hang': {
      const closed = new AbortController();
      x.res.on('close', () => closed.abort());
      await state.faults.hold(fault.ms, closed.signal);
      return x.res.destroyed;
    }
    case 'reset':
      x.req.socket.destroy();
      return true;
    case 'status':
      sendStatus(fault, x, state);
      return true;
    case 'too_old':
      throw streamTooOld();
    case 'gone':
      throw unknownResponse(x.path.split('/')[2] ?? '');
    case 'model_gone':
      throw unknownModel(modelOf(x));
    case 'refuse_tools':
      throw refusedTools(Number(fault.status ?? 400), modelOf(x));
    default:
      return false;
  }
}

const modelOf = (x: Exchange) =>
  isObject(x.body) && typeof x.body.model === 'string' ? x.body.model : '';

/** 400 in the words of vLLM without a tool parser, 422 in those of Ollama and similar servers. */
const refusedTools = (status: number, model: string) =>
  status === 400
    ? new ApiError(
        400,
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        null,
        400,
        'BadRequestError',
      )
    : new ApiError(status, `${model} does not support tools`);

const TYPES: Record<number, string> = {
  401: 'invalid_request_error',
  429: 'requests',
  500: 'server_error',
  503: 'server_error',
};
const CODES: Record<number, string> = {
  401: 'invalid_api_key',
  429: 'rate_limit_exceeded',
};

function sendStatus(fault: Fault, x: Exchange, state: SandboxState): void {
  const status = Number(fault.status);
  const message =
    fault.message ?? `The sandbox is configured to return ${status}.`;
  const headers: Record<string, string> = {};
  if (fault.retry_after !== undefined)
    headers['retry-after'] = String(fault.retry_after);
  if (fault.retry_after_ms !== undefined)
    headers['retry-after-ms'] = String(fault.retry_after_ms);
  if (fault.body === 'html') {
    x.res.writeHead(status, { ...headers, 'content-type': 'text/html' });
    x.res.end(
      `<html><head><title>${status}</title></head><body><h1>${message}</h1></body></html>`,
    );
    return;
  }
  const code = fault.code ?? CODES[status] ?? null;
  const type = TYPES[status] ?? 'invalid_request_error';
  const body =
    fault.body === 'detail'
      ? { detail: [{ loc: ['body'], msg: message, type: 'value_error' }] }
      : errorBody(
          new ApiError(status, message, null, code, type),
          state.settings,
          createOf(x.path, x.body),
        );
  x.res.writeHead(status, { ...headers, 'content-type': 'application/json' });
  x.res.end(JSON.stringify(body));
}
