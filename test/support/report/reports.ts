import type {
  GivenCitation,
  ReportInput,
} from '../../../src/report/report.types';

/** What a report is written from, with a citation at each text in `cites`. */
export function reportOf(
  text: string,
  cites: readonly (Partial<GivenCitation> & { at: string })[] = [],
  more: Partial<ReportInput> = {},
): ReportInput {
  return {
    id: 'inv_0123456789abcdef',
    text,
    question: '김치의 역사는?',
    isIncomplete: false,
    reason: null,
    limits: [],
    model: 'a-model',
    verdicts: {},
    verifier: null,
    completedAt: '2026-11-23T10:20:30.000Z',
    sources: [],
    ...more,
    citations: cites.map(({ at, ...citation }) => {
      const start_index = Array.from(text.slice(0, text.indexOf(at))).length;
      return {
        url: 'https://a.example/page',
        title: 'A page',
        start_index,
        end_index: start_index + Array.from(at).length,
        ...citation,
      };
    }),
  };
}
