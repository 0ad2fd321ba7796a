import type { RunRecord } from '../../runs/record/run-record';
import type { BoundSection } from '../agent/agent.types';
import type { JournalStore } from '../agent/journal/journal.store';
import { EVIDENCE } from '../agent/text/shown-evidence';
import { EvidenceStore } from './evidence.store';

const RUN = { id: 'inv_1', engine: 'agent' } as RunRecord;
const READ = {
  notes: [],
  sources: [],
  contradictions: [],
  failed: [],
  omitted_notes: 0,
};

/** Of a run whose journal has this evidence, and these sections of its report. */
const storeOf = (evidence: object, sections: BoundSection[] = []) => {
  const journal: Record<string, object> = {
    [EVIDENCE]: evidence,
    'emit:0': { sections },
  };
  const values = (_: string, fields: readonly string[]) =>
    Promise.resolve(fields.map((field) => journal[field]));
  return new EvidenceStore({ values } as unknown as JournalStore);
};

describe(EvidenceStore.name, () => {
  it('shows what each sentence is, what was found of it, what decided, and the words that differ', async () => {
    const { sections } = await storeOf(READ, [
      {
        title: 'Age',
        sentences: [
          {
            text: 'It is from 1895.',
            noteIds: ['n1'],
            verdict: 'contradicted',
            checkedBy: 'model',
            detail: '1895',
          },
          { text: 'More of it:', noteIds: [], kind: 'link' },
        ],
      },
    ]).evidence(RUN);
    expect(sections).toEqual([
      {
        title: 'Age',
        sentences: [
          {
            text: 'It is from 1895.',
            note_ids: ['n1'],
            kind: 'fact',
            verdict: 'contradicted',
            checked_by: 'model',
            detail: '1895',
          },
          {
            text: 'More of it:',
            note_ids: [],
            kind: 'link',
            verdict: null,
            checked_by: null,
            detail: null,
          },
        ],
      },
    ]);
  });

  it('counts the verdicts of all sentences in their order, and names the model that judged', async () => {
    const sentence = (verdict?: 'supported' | 'unchecked' | 'judgement') => ({
      text: 'A sentence.',
      noteIds: [],
      verdict,
    });
    const read = { ...READ, verifier: 'a-model' };
    const { verdicts, verifier } = await storeOf(read, [
      { title: '', sentences: [sentence('unchecked'), sentence()] },
      { title: 'B', sentences: [sentence('judgement'), sentence('supported')] },
      { title: 'C', sentences: [sentence('supported')] },
    ]).evidence(RUN);
    expect(Object.entries(verdicts)).toEqual([
      ['supported', 2],
      ['judgement', 1],
      ['unchecked', 1],
    ]);
    expect(verifier).toBe('a-model');
    expect(await storeOf(READ).evidence(RUN)).toMatchObject({
      verdicts: {},
      verifier: null,
    });
  });
});
