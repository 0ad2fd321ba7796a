import type { components } from './schema';

export type Problem = components['schemas']['Problem'];

/** A refusal of the API, as RFC 9457 has it; without one the service could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly problem: Partial<Problem> | undefined,
    /** Seconds after which a repeat may help. */
    readonly retryAfter?: number,
  ) {
    super(problem?.detail ?? problem?.title ?? `HTTP ${status}`);
  }

  get code(): string {
    return this.problem?.code ?? (this.status === 0 ? 'offline' : 'unknown');
  }
}

/** @throws ApiError also if there is no answer. */
export async function toApiError(reply: Response): Promise<ApiError> {
  const isJson = /\bjson\b/.test(reply.headers.get('content-type') ?? '');
  const problem = isJson
    ? await reply.json().then(
        (body: unknown) => body as Partial<Problem>,
        () => undefined,
      )
    : undefined;
  const after = Number(reply.headers.get('retry-after') ?? NaN);
  return new ApiError(
    reply.status,
    problem,
    Number.isFinite(after) ? after : undefined,
  );
}
