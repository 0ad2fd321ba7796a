import { reportOf } from '../../../test/support/report/reports';
import { CHECKED_BY, VERDICTS } from '../../sources/evidence/verdict';
import { parseReport } from '../parse/parse';
import type { ReportInput } from '../report.types';
import { labelsOf, notesOf, remarksOn } from './labels';

const documentOf = (text: string, more: Partial<ReportInput> = {}) =>
  parseReport(reportOf(text, [], more));
const TEXTS = ['# History\n\nIt is old.', '# 역사\n\n오래되었습니다.'];

describe('the labels of a report', () => {
  it.each(TEXTS)(
    'have words for every verdict, and for what decided: %j',
    (text) => {
      const { verdicts, checkedBy } = labelsOf(documentOf(text));
      expect(Object.keys(verdicts)).toEqual(VERDICTS);
      expect(Object.keys(checkedBy)).toEqual(CHECKED_BY);
    },
  );

  it.each([
    [TEXTS[0], 'Checked: 24 supported, 3 by judgement, 2 unchecked'],
    [TEXTS[1], '검사: 뒷받침됨 24, 판단 3, 검사하지 않음 2'],
  ])('count the verdicts: %j', (text, line) => {
    const verdicts = { supported: 24, judgement: 3, unchecked: 2 };
    const verifier = 'another-model';
    const notes = notesOf(documentOf(text, { verdicts, verifier }));
    expect(notes.at(-1)).toBe(line);
  });

  it.each([
    [
      TEXTS[0],
      'Checked: 1 supported. The model that wrote the report judged it.',
    ],
    [TEXTS[1], '검사: 뒷받침됨 1. 보고서를 쓴 모델이 직접 판정했습니다.'],
  ])('say when a report is judged by its own writer: %j', (text, line) => {
    const verifier = 'a-model';
    const verdicts = { supported: 1 };
    const notes = notesOf(documentOf(text, { verdicts, verifier }));
    expect(notes.at(-1)).toBe(line);
    const without = notesOf(documentOf(text, { verifier }));
    expect(without).toEqual(notes.slice(0, -1));
  });

  it('show with a citation what was found, the words that differ, and what decided', () => {
    const document = parseReport(
      reportOf(TEXTS[0], [
        {
          at: 'old',
          quote: 'It is new.',
          verdict: 'contradicted',
          checked_by: 'model',
          detail: 'old',
        },
        { at: 'It', quote: 'It is new.', verdict: 'new_verdict' },
      ]),
    );
    expect(document.citations.map((one) => remarksOn(one, document))).toEqual([
      'new_verdict',
      'the quote says otherwise: “old”; judged by a model',
    ]);
  });
});
