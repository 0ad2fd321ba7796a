import {
  AgentWorld,
  researchTask,
} from '../../../../test/support/agent/agent-world';
import {
  Crash,
  MemoryJournal,
} from '../../../../test/support/agent/memory-journal';
import { research } from '../agent';
import type { AgentCitation } from '../agent.types';
import { EMITTED, EVIDENCE } from './shown-evidence';

const never = new AbortController().signal;
const TASK = researchTask({ deliverable_format: 'markdown_report' });

/** An execution that ends at a boundary of its journal. */
async function cutOff(crashAt?: number) {
  const journal = new MemoryJournal();
  journal.crashAt = crashAt;
  await research(TASK, journal, new AgentWorld().ports, never).catch(
    (error: unknown) => expect(error).toBeInstanceOf(Crash),
  );
  return journal;
}

it('is on record, with model and citations, for all text of a run that is cut off anywhere', async () => {
  const { boundaries, text: whole } = await cutOff();
  const texts = new Set<string>();
  for (let at = 1; at <= boundaries; at += 1) {
    const { text, fields, entries } = await cutOff(at);
    if (text === '') continue;
    texts.add(text);
    expect(whole.startsWith(text)).toBe(true);
    expect(fields.model).toBe('scripted');
    const citations = JSON.parse(fields.citations!) as AgentCitation[];
    const points = Array.from(text);
    for (const { start_index, end_index } of citations)
      expect(points.slice(start_index, end_index).join('')).toMatch(
        /^\[\d+\]$/,
      );
    const marks = new Set(citations.map(({ start_index }) => start_index));
    const [written] = text.split('\n\n## Sources');
    expect(written.match(/\[\d+\]/g)).toHaveLength(marks.size);
    const sources = JSON.parse(fields.sources!) as { url: string }[];
    const listed = sources.map(({ url }) => url);
    expect(listed).toEqual(
      expect.arrayContaining(citations.map(({ url }) => url)),
    );
    expect(entries.has(EVIDENCE)).toBe(true);
    expect(EMITTED.some((key) => entries.has(key))).toBe(true);
  }
  expect(texts.size).toBeGreaterThan(1);
});
