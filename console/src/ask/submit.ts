import { api, read, uniqueKey, type Invocation } from '../api/client';
import { argumentsOf, type Draft, rememberAsked } from './draft';

const KEY = 'Idempotency-Key';

/**
 * Begins research in the background.
 * @param key the same for every try of one submission, so that a repeat after a lost reply begins nothing twice.
 */
export async function startResearch(
  draft: Draft,
  key = uniqueKey(),
): Promise<Invocation> {
  const reply = (await read(
    api.POST('/api/v1/tool-invocations', {
      params: { header: { [KEY]: key } },
      body: {
        tool_name: 'deep_research',
        arguments: { ...argumentsOf(draft), background: true },
      },
    }),
  )) as Invocation;
  rememberAsked(reply.invocation_id, draft);
  return reply;
}
