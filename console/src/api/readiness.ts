import { api, type Schemas } from './client';
import { ApiError } from './problem';

/** What `/health/ready` says. A process that is not ready answers 503, with the same body. */
export async function readiness(): Promise<Schemas['Readiness']> {
  try {
    const { data } = await api.GET('/health/ready');
    return data!;
  } catch (error) {
    const body = error instanceof ApiError ? error.problem : undefined;
    if (body && 'checks' in body)
      return body as unknown as Schemas['Readiness'];
    throw error;
  }
}
