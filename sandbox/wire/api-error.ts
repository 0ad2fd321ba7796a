/** An error in the format of OpenAI; all errors that handlers throw on purpose are of this class. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly param: string | null = null,
    /** A number only where the imitated server sends one. */
    readonly code: string | number | null = null,
    readonly type = 'invalid_request_error',
    /** Fields that only the imitated server has. */
    readonly more: object = {},
  ) {
    super(message);
  }
}

export const badRequest = (
  message: string,
  param: string | null = null,
  code: string | null = null,
) => new ApiError(400, message, param, code);

export const unknownResponse = (id: string) =>
  new ApiError(404, `Response with id '${id}' not found.`);

export const unknownModel = (model: string) =>
  new ApiError(
    404,
    `The model \`${model}\` does not exist or you do not have access to it.`,
    null,
    'model_not_found',
  );

export const streamTooOld = () =>
  badRequest(
    'This response can no longer be streamed because it is more than 5 minutes old.',
  );
