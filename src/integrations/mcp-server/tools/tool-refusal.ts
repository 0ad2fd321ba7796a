import type { CallToolResult } from '@modelcontextprotocol/server';
import type { AppError, FieldError } from '../../../platform/errors';

/** A call that began nothing, as a result that a model can read and act on. */
export function refusal(error: AppError): CallToolResult {
  const { code, message, status, retryable } = error;
  const errors = (error.errors ?? []).map(asArgument);
  const { limit, resetsAt, retryAfterSeconds } = error;
  const fields = errors.map(({ path, message: fault }) => `${path}: ${fault}`);
  return {
    content: [
      { type: 'text', text: [`${code}: ${message}`, ...fields].join('\n') },
    ],
    structuredContent: {
      invocation_id: null,
      status: 'refused',
      error: {
        code,
        message,
        retryable,
        http_status: status,
        errors,
        ...(limit !== undefined && { limit }),
        ...(resetsAt !== undefined && { resets_at: resetsAt }),
        ...(retryAfterSeconds !== undefined && {
          retry_after_seconds: Math.max(1, Math.ceil(retryAfterSeconds)),
        }),
      },
    },
    isError: true,
  };
}

/** What is a header of the REST API is an argument here. */
function asArgument(error: FieldError): FieldError {
  const isKey = error.path === 'Idempotency-Key';
  return isKey ? { ...error, path: 'arguments.idempotency_key' } : error;
}
