import { api, read, uniqueKey, type Invocation } from '../api/client';
import type { ResearchArguments } from './draft';

const KEY = 'Idempotency-Key';

/**
 * Begins research in the background.
 * @param key the same for every try of one submission, so that a repeat after a lost reply begins nothing twice.
 */
export async function startResearch(
  args: ResearchArguments,
  key = uniqueKey(),
): Promise<Invocation> {
  const reply = await read(
    api.POST('/api/v1/tool-invocations', {
      params: { header: { [KEY]: key } },
      body: {
        tool_name: 'deep_research',
        arguments: { ...args, background: true },
      },
    }),
  );
  return reply as Invocation;
}
