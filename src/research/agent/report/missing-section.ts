import type { AgentRun } from '../agent-run';
import type { BoundSection } from '../agent.types';
import type { ReportOutline } from '../stages/outline-stage';

const TITLE = 'What the sources read do not say';
/** By the primary subtag of the language of the report. */
const TITLES: Record<string, string> = { ko: '읽은 자료에 없는 내용' };

/** Closes a report: what was asked for and stands in no note. None of it is a claim, so it has no sources and no verdicts. */
export function missingSection(
  { brief }: AgentRun,
  { missing }: ReportOutline,
): BoundSection | undefined {
  if (missing.length === 0) return undefined;
  const [language] = brief!.language.split('-');
  const sentences = missing.map((text) => ({
    text,
    noteIds: [],
    kind: 'absent' as const,
  }));
  const items = [...sentences.keys()];
  return {
    title: TITLES[language] ?? TITLE,
    sentences,
    layout: [{ type: 'list', ordered: false, items }],
  };
}
