import { entriesIn } from '../upstream/reply-fields';
import type { UpstreamClient } from '../upstream/upstream.client';
import { UpstreamError } from '../upstream/upstream-error';

/** The list of an aggregator with thousands of models takes about a megabyte. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_MODELS = 10_000;
const MAX_NAME = 200;

/** The models that an endpoint lists. */
export interface ModelList {
  readonly names: readonly string[];
  /**
   * Whether a model that is not on the list does not exist. False for an empty list, one with wildcards, and one with
   * further pages.
   */
  readonly complete: boolean;
  /** Model -> when it is or was shut down. Endpoints keep models on the list that were. */
  readonly shutdowns: ReadonlyMap<string, number>;
}

const NO_LIST: ModelList = { names: [], complete: false, shutdowns: new Map() };

interface Entry {
  id?: unknown;
  shutdown_date?: unknown;
}

/**
 * Reads the first page of `/models`. An endpoint without this path has an empty list.
 * @throws UpstreamError, or the signal's reason.
 */
export async function readModelList(
  upstream: UpstreamClient,
  signal: AbortSignal,
): Promise<ModelList> {
  try {
    return listIn(
      await upstream.json<unknown>({
        method: 'GET',
        path: '/models',
        signal,
        maxBytes: MAX_BYTES,
      }),
    );
  } catch (error) {
    if (error instanceof UpstreamError && hasNoList(error)) return NO_LIST;
    throw error;
  }
}

function hasNoList({ code, definite }: UpstreamError): boolean {
  return (
    definite &&
    code !== 'upstream_unauthorized' &&
    code !== 'upstream_wrong_url'
  );
}

/** Some servers send the bare array. */
function listIn(body: unknown): ModelList {
  const { data = body, has_more } = Object(body) as {
    data?: unknown;
    has_more?: unknown;
  };
  const entries = entriesIn(data as Entry[]).slice(0, MAX_MODELS + 1);
  const names = new Set<string>();
  const shutdowns = new Map<string, number>();
  for (const { id, shutdown_date } of entries) {
    if (typeof id !== 'string' || id === '' || id.length > MAX_NAME) continue;
    names.add(id);
    const at = Date.parse(String(shutdown_date));
    if (shutdown_date && !Number.isNaN(at)) shutdowns.set(id, at);
  }
  const hasWildcard = [...names].some((name) => name.includes('*'));
  return {
    names: [...names].filter((name) => !name.includes('*')),
    complete:
      names.size > 0 &&
      !hasWildcard &&
      has_more !== true &&
      entries.length <= MAX_MODELS,
    shutdowns,
  };
}
