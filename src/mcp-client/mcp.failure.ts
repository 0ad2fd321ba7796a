import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { types } from 'node:util';
import { ToolError } from '../tools/tool.error';
import { ANSWER_LOST } from './transport/http.transport';
import { isTooLarge } from './transport/message.limit';

/** Of the network, each of which means that nothing was sent. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Of a server that does not know the session any more; some say the one, some the other. */
const SESSION_UNKNOWN = new Set([400, 404]);

/** Of the SDK, where the server has answered. */
const ANSWERS = new Set<string>([
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

export function tooMuch(cause: unknown): ToolError {
  const message = 'The tool returned more than is taken.';
  return new ToolError('RESULT_TOO_LARGE', message, cause);
}

/** Whether the server has surely not begun the call, so that it may be made again. */
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

/** Whether it was the server that said no, or said something that cannot be read. */
export function isAnswer(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code !== ANSWER_LOST;
  return error instanceof SdkError && ANSWERS.has(error.code);
}

/** For the log, e.g. `ECONNREFUSED`: the innermost code there is. Never the words of the error. */
export function codeOf(error: unknown): string {
  let code = 'UNKNOWN';
  for (let at = error; types.isNativeError(at); at = at.cause) {
    if (at instanceof SdkHttpError) code = `HTTP ${at.status}`;
    else if ('code' in at) code = String(at.code);
  }
  return code;
}

/** What a caller and a model are told of a call that came to nothing, without a word of the server or of the network. */
export function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const told = (code: string, message: string) =>
    new ToolError(code, message, error);
  if (isTooLarge(error)) return tooMuch(error);
  if (error instanceof ProtocolError && error.code !== ANSWER_LOST) {
    const message = `The server of the tool refused the call (${error.code}).`;
    return told('TOOL_REFUSED', message);
  }
  if (error instanceof SdkHttpError) {
    const message = `The server of the tool refused the call (HTTP ${error.status}).`;
    return told('TOOL_UNAVAILABLE', message);
  }
  switch (error instanceof SdkError ? error.code : undefined) {
    case SdkErrorCode.RequestTimeout:
      return told('TOOL_TIMEOUT', 'The tool did not answer in time.');
    case SdkErrorCode.UnsupportedResultType:
      return told(
        'TOOL_UNSUPPORTED',
        'The tool answered with a question or a task, which nobody here can see to.',
      );
    case SdkErrorCode.InvalidResult:
      return told('INVALID_RESULT', 'The tool answered against the protocol.');
    default:
      return told(
        'TOOL_INTERRUPTED',
        'The connection to the tool was lost. Whether it did its work is not known.',
      );
  }
}
