import { AppError } from '../../errors';

/** The body of every error below `/v1`: the SDKs of OpenAI show its message and code. */
export interface OpenAiErrorBody {
  error: {
    message: string;
    type: string;
    code: string;
    /** The parameter at fault; '' if none is, because some clients take no null. */
    param: string;
  };
}

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
};
const API_HINT =
  "Sonde's own API begins with /api/v1; /openapi.json describes it.";

/** SDKs ignore a longer pause and try again at once. */
export const MAX_RETRY_AFTER_SECONDS = 60;

/** The codes of OpenAI's own API for what it would refuse too. */
export type OpenAiCode =
  | 'missing_required_parameter'
  | 'unknown_parameter'
  | 'unsupported_parameter'
  | 'unsupported_value'
  | 'invalid_type'
  | 'invalid_value'
  | 'model_not_found'
  | 'response_not_found'
  | 'previous_response_not_found';

/** A refusal with a code of OpenAI's API, which names the parameter at fault. */
export class OpenAiRefusal extends AppError {
  constructor(
    readonly openAiCode: OpenAiCode,
    message: string,
    readonly param: string,
    status: 400 | 404 = 400,
  ) {
    super(status === 404 ? 'not_found' : 'bad_request', message);
  }
}

/** The same for a model that is unknown and for one that the key may not use. */
export function noSuchModel(model: string): OpenAiRefusal {
  return new OpenAiRefusal(
    'model_not_found',
    `The model '${model.slice(0, 100)}' does not exist or you do not have access to it.`,
    'model',
    404,
  );
}

/** The paths that OpenAI clients call if they are given the URL of this service. */
export function isOpenAiPath(url: string): boolean {
  return /^\/v1(\/|\?|$)/.test(url);
}

/** The status and the body of an error below `/v1`. OpenAI knows no 422. */
export function openAiErrorOf(
  error: AppError,
  given = error.status,
): { status: number; body: OpenAiErrorBody } {
  const status = given === 422 ? 400 : given;
  const [first] = error.errors ?? [];
  const isRefusal = error instanceof OpenAiRefusal;
  const isUnknownPath =
    !isRefusal && ['not_found', 'method_not_allowed'].includes(error.code);
  return {
    status: error instanceof PaidFailure ? 400 : status,
    body: {
      error: {
        message: [error.message, faultsOf(error), isUnknownPath && API_HINT]
          .filter(Boolean)
          .join(' '),
        type: typeOf(status),
        code: isRefusal ? error.openAiCode : error.code,
        param: isRefusal ? error.param : (first?.path ?? ''),
      },
    },
  };
}

/**
 * A failure of work that was done and paid for: a repeat would buy it again, so that a person decides about it. Its status
 * below `/v1` is 400: programs above an SDK repeat any other by themselves, whatever its headers say.
 */
export class PaidFailure extends AppError {}

/** Whether an SDK must not repeat the request, although it would by the status. */
export function isFinalRefusal(error: AppError): boolean {
  const { status, retryable } = error;
  const isFinal = !retryable || error instanceof PaidFailure;
  return isFinal && (status === 408 || status === 409 || status >= 500);
}

function typeOf(status: number): string {
  return (
    TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  );
}

/** What is wrong with each field: the form has no list of its own. */
function faultsOf({ errors = [] }: AppError): string {
  return errors.map(({ path, message }) => `${path} ${message}.`).join(' ');
}
