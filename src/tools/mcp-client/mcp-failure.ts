import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { types } from 'node:util';
import { ToolError } from '../tool-error';
import { RESPONSE_LOST } from './transport/http-transport';
import { isTooLarge } from './transport/message-limit';

/** Network errors, each of which means that nothing was sent. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Statuses of a server that no longer knows the session; servers differ. */
const SESSION_UNKNOWN = new Set([400, 404]);

/** SDK errors where the server has responded. */
const SERVER_RESPONSES = new Set<string>([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.ClientHttpNotImplemented,
  SdkErrorCode.ClientHttpAuthentication,
  SdkErrorCode.ClientHttpForbidden,
  SdkErrorCode.ClientHttpUnexpectedContent,
]);

export function unavailable(): ToolError {
  const message = 'The server of the tool cannot be reached.';
  return new ToolError('TOOL_UNAVAILABLE', message);
}

export function tooLarge(cause: unknown): ToolError {
  const message = 'The result of the tool is over the size limit.';
  return new ToolError('RESULT_TOO_LARGE', message, cause);
}

/** Whether the server certainly never started the call, so that it can be repeated. */
export function neverArrived(error: unknown, inSession: boolean): boolean {
  if (error instanceof SdkHttpError) {
    return inSession && SESSION_UNKNOWN.has(error.status ?? 0);
  }
  if (error instanceof SdkError)
    return error.code === SdkErrorCode.NotConnected;
  if (!types.isNativeError(error)) return false;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return error.message === 'Not connected' || NEVER_SENT.has(String(code));
}

/** Whether the server itself refused, or sent an invalid response. */
export function isServerResponse(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code !== RESPONSE_LOST;
  return error instanceof SdkError && SERVER_RESPONSES.has(error.code);
}

/** For the log, e.g. `ECONNREFUSED`: the innermost code. Never the message of an error. */
export function codeOf(error: unknown): string {
  let code = 'UNKNOWN';
  for (let at = error; types.isNativeError(at); at = at.cause) {
    if (at instanceof SdkHttpError) code = `HTTP ${at.status}`;
    else if ('code' in at) code = String(at.code);
  }
  return code;
}

/** The error that a caller and a model get for a failed call, without any text of the server or the network. */
export function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const toolError = (code: string, message: string) =>
    new ToolError(code, message, error);
  if (isTooLarge(error)) return tooLarge(error);
  if (error instanceof ProtocolError && error.code !== RESPONSE_LOST) {
    const message = `The server of the tool refused the call (${error.code}).`;
    return toolError('TOOL_REFUSED', message);
  }
  if (error instanceof SdkHttpError) {
    const message = `The server of the tool refused the call (HTTP ${error.status}).`;
    return toolError('TOOL_UNAVAILABLE', message);
  }
  switch (error instanceof SdkError ? error.code : undefined) {
    case SdkErrorCode.RequestTimeout:
      return toolError('TOOL_TIMEOUT', 'The tool did not respond in time.');
    case SdkErrorCode.UnsupportedResultType:
      return toolError(
        'TOOL_UNSUPPORTED',
        'The tool responded with a question or a task, which are not supported.',
      );
    case SdkErrorCode.InvalidResult:
      return toolError(
        'INVALID_RESULT',
        'The response of the tool violates the protocol.',
      );
    default:
      return toolError(
        'TOOL_INTERRUPTED',
        'The connection to the tool was lost. It is unknown whether it completed.',
      );
  }
}
