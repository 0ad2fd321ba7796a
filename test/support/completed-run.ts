import type { Invocation } from './client';
import type { Stand } from './processes/stand';
import { waitForEnd } from './event-log';

interface Output {
  type: string;
  content?: { type: string; text?: string }[];
}

/** The text of a response, as the upstream itself returns it. */
export async function upstreamText(
  { sandbox }: { sandbox: { url: string } },
  responseId: string,
  key?: string,
): Promise<string> {
  const url = `${sandbox.url}/v1/responses/${encodeURIComponent(responseId)}`;
  const reply = await fetch(url, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  const { output } = (await reply.json()) as { output: Output[] };
  return output
    .filter(({ type }) => type === 'message')
    .flatMap(({ content = [] }) => content)
    .map(({ text = '' }) => text)
    .join('');
}

/** Waits for the end of a run, which must be completed, purchased once, completely logged, and have exactly the upstream's text. */
export async function expectCompletedRun(stand: Stand, invocation: Invocation) {
  const record = await waitForEnd(invocation);
  expect(record).toMatchObject({ status: 'completed', error: null });
  expect(record.output_text).toBe(
    await upstreamText(stand, record.upstream_response_id),
  );
  const { creates_by_invocation } = await stand.stats();
  expect(creates_by_invocation[invocation.id]).toBe(1);
  return record;
}
