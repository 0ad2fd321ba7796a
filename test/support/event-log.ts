import { expectInvocationEvents } from './event-schemas';
import { all, type Frame, type Invocation, joined } from './client';

const LAST = ['completed', 'error'];

/** The event log of every ended run is as the contract describes it, with consecutive ids, one last event, and the text once. */
export function expectCompleteLog(
  frames: Frame[],
  record: { status: string; output_text: string | null },
): void {
  expectInvocationEvents(frames);
  expect(frames.map(({ id }) => Number(id))).toEqual(
    frames.map((_, i) => i + 1),
  );
  expect(frames.filter(({ event }) => LAST.includes(event))).toHaveLength(1);
  expect(frames.at(-1)!.event).toBe(
    record.status === 'completed' ? 'completed' : 'error',
  );
  if (record.output_text !== null)
    expect(joined(frames)).toBe(record.output_text);
}

/** Waits for the end, checks the whole log against the record, and returns the record. */
export async function waitForEnd(invocation: Invocation) {
  const frames = await all(invocation.follow());
  const record = await invocation.read();
  expectCompleteLog(frames, record);
  return record;
}
