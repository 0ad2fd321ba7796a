import type { AgentRun } from '../agent-run';
import type { BoundSection, BoundSentence, Note } from '../agent.types';
import type { Blocks } from '../prompts/prompt';
import { sectionPrompt } from '../prompts/section.prompt';
import { briefText, noteLine } from '../prompts/wishes';
import {
  bindSection,
  boundTitle,
  enforced,
  type Fault,
  faultsOf,
  fromNotes,
} from '../text/section-binding';
import { fittingNotes } from '../text/note-ranking';
import { ask } from '../steps/ask';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import type { ReportOutline } from './outline-stage';
import { callOf, fitsContext, userBlocks } from '../steps/role-call';

/** Sentences of a section of which nothing could stay, or that named none of its notes. */
const CLAIMS = 8;

export interface SectionResult {
  section: BoundSection;
  /** Why the section is not written. */
  failure?: ModelFailed | LimitReached;
}

/**
 * Writes and binds one section; at most one rewrite. A section of which nothing can stay, or that names none of its notes, is
 * made of its best notes' own statements; one that a limit or its model leaves unwritten, of those of all its notes.
 * @param asks false: its model is not asked.
 */
export async function writeSection(
  run: AgentRun,
  outline: ReportOutline,
  at: number,
  asks: boolean,
): Promise<SectionResult> {
  run.adoptContexts();
  const { title, notes: planned } = outline.sections[at];
  const notes = notesWithin(run, outline, at);
  const { written, failure } = asks
    ? await sentencesOf(run, outline, at, notes)
    : { written: [] };
  const isUnwritten = !asks || failure !== undefined;
  const kept = enforced(run, written);
  const [own, most] = isUnwritten ? [planned, planned.length] : [notes, CLAIMS];
  // A text that rests on none of its notes is worth less than they are.
  const isFounded = kept.some(({ noteIds }) => noteIds.length > 0);
  const sentences = isFounded ? kept : await fromNotes(run, own, most);
  // The answer stands under the title of the report.
  const heading = at === 0 ? '' : boundTitle(run, title, sentences, planned);
  return {
    section: {
      title: heading,
      sentences,
      ...(isUnwritten && { unwritten: true }),
    },
    ...(failure && { failure }),
  };
}

/** Of the notes of a section those that fit its prompt. */
function notesWithin(run: AgentRun, outline: ReportOutline, at: number) {
  const { title, notes } = outline.sections[at];
  return fittingNotes(notes, `${title} ${run.brief!.goal}`, (lines) =>
    fitsContext(run, sectionPrompt, blocksOf(run, outline, at, lines)),
  );
}

/** Without a rewrite the first version stays. */
async function sentencesOf(
  run: AgentRun,
  outline: ReportOutline,
  at: number,
  notes: readonly Note[],
): Promise<{ written: BoundSentence[] } & Pick<SectionResult, 'failure'>> {
  let first: BoundSentence[] = [];
  try {
    first = await versionOf(run, outline, at, notes);
    const faults = faultsOf(run, first);
    if (faults.length === 0) return { written: first };
    const again = await versionOf(run, outline, at, notes, faults);
    const isBetter = faultsOf(run, again).length <= faults.length;
    return { written: isBetter ? again : first };
  } catch (error) {
    if (error instanceof LimitReached) run.limitsReached.add(error.limit);
    else if (!(error instanceof ModelFailed)) throw error;
    const isWritten = first.length > 0;
    return { written: first, ...(!isWritten && { failure: error }) };
  }
}

async function versionOf(
  run: AgentRun,
  outline: ReportOutline,
  at: number,
  notes: readonly Note[],
  faults?: readonly Fault[],
): Promise<BoundSentence[]> {
  const detail = faults
    ? `Rewriting section ${at + 1}`
    : `Writing section ${at + 1}`;
  const key = faults ? `rewrite:${at}` : `write:${at}`;
  const callIn = (within: AgentRun) => {
    const given = within === run ? notes : notesWithin(within, outline, at);
    const lines = given.map(noteLine);
    const blocks = blocksOf(within, outline, at, lines, faults);
    return callOf(within, sectionPrompt, blocks, detail);
  };
  const section = await ask(run, key, callIn, run.allowance);
  return bindSection(run, notes, section);
}

function blocksOf(
  run: AgentRun,
  outline: ReportOutline,
  index: number,
  lines: readonly string[],
  faults?: readonly Fault[],
): Blocks {
  const [question, wishes] = userBlocks(run, sectionPrompt);
  const { title } = outline.sections[index];
  const titles = {
    title: outline.title,
    sections: outline.sections.map((one) => one.title),
    ...(outline.missing.length > 0 && { missing: outline.missing }),
  };
  return [
    question,
    ['brief', briefText(run.brief!)],
    wishes,
    ['outline', JSON.stringify(titles)],
    ['section', JSON.stringify({ index, title })],
    ['notes', lines.join('\n')],
    ...(faults ? [['faults', JSON.stringify(faults)] as const] : []),
  ];
}
