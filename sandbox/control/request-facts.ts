import type { RequestFacts } from './fault';
import type { Exchange } from '../wire/http';
import { isObject } from '../wire/json';
import type { SandboxState } from '../state';

const CREATES = new Set(['/responses', '/chat/completions', '/embeddings']);

/** For a request that names a response, the create of that response counts too. */
export function factsOf(x: Exchange, { runs }: SandboxState): RequestFacts {
  const run = runs.get(x.path.split('/')[2] ?? '');
  const body = isObject(x.body) ? x.body : (run?.params ?? {});
  const { model, metadata, tools } = body as Record<string, unknown>;
  const invocationId = isObject(metadata) ? metadata.invocation_id : undefined;
  const create = x.method === 'POST' && CREATES.has(x.path);
  return {
    method: x.method,
    path: x.path,
    raw: create ? x.raw : JSON.stringify(run?.params ?? {}),
    model: typeof model === 'string' ? model : undefined,
    invocationId: typeof invocationId === 'string' ? invocationId : undefined,
    stream: create
      ? (body as { stream?: unknown }).stream === true
      : x.query.get('stream') === 'true',
    background: (body as { background?: unknown }).background === true,
    create,
    hasTools: Array.isArray(tools) && tools.length > 0,
  };
}
