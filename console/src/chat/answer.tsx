import { useMemo } from 'preact/hooks';
import { parseReport } from '../../../src/report/parse/parse';
import type { Schemas } from '../api/client';
import { ReportText } from '../read/report-view';

/** A text of a model with its citations, by the parser that reports are written with. */
export function Answer({
  text,
  citations = null,
}: {
  text: string;
  citations?: Schemas['CitationDto'][] | null;
}) {
  const report = useMemo(
    () =>
      parseReport({
        id: '',
        text,
        question: null,
        isIncomplete: false,
        reason: null,
        limits: [],
        model: null,
        verdicts: {},
        verifier: null,
        completedAt: null,
        citations: citations ?? [],
        sources: [],
      }),
    [text, citations],
  );
  return <ReportText report={report} />;
}
