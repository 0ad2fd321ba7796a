import type { AgentRun } from '../agent-run';
import type { BoundSection, Note } from '../agent.types';
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
import { flattened, kept } from '../text/section-layout';
import { fittingNotes } from '../text/note-ranking';
import { ask } from '../steps/ask';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import { lengthOf, type ReportOutline } from './outline-stage';
import { writtenText } from './written';
import { callOf, fitsContext, userBlocks } from '../steps/role-call';

/** Sentences of a section of which nothing could stay, or that named none of its notes. */
const CLAIMS = 8;

export interface SectionResult {
  section: BoundSection;
  /** Why the section is not written. */
  failure?: ModelFailed | LimitReached;
}

/** What a section is written from. */
interface Matter {
  outline: ReportOutline;
  at: number;
  /** The sections before it, in the order of writing. */
  earlier: readonly BoundSection[];
}

/**
 * Writes and binds one section; at most one rewrite. A section of which nothing can stay, or that names none of its notes, is
 * made of its best notes' own statements; one that a limit or its model leaves unwritten, of those of all its notes.
 * @param asks false: its model is not asked.
 */
export async function writeSection(
  run: AgentRun,
  matter: Matter,
  asks: boolean,
): Promise<SectionResult> {
  run.adoptContexts();
  const { title, notes: planned } = matter.outline.sections[matter.at];
  const notes = notesWithin(run, matter);
  const { written, failure } = asks
    ? await versions(run, matter, notes)
    : { written: NOTHING };
  const isUnwritten = !asks || failure !== undefined;
  const left = new Set(enforced(run, written.sentences));
  const sound = kept(written, (one) => left.has(one));
  const [own, most] = isUnwritten ? [planned, planned.length] : [notes, CLAIMS];
  // A text that rests on none of its notes is worth less than they are.
  const isFounded = sound.sentences.some(({ noteIds }) => noteIds.length > 0);
  const section = isFounded
    ? sound
    : { title: '', sentences: await fromNotes(run, own, most) };
  // The answer stands under the title of the report.
  const heading =
    matter.at === 0 ? '' : boundTitle(run, title, section.sentences, planned);
  return {
    section: {
      ...section,
      title: heading,
      ...(isUnwritten && { unwritten: true }),
    },
    ...(failure && { failure }),
  };
}

const NOTHING: BoundSection = { title: '', sentences: [] };

/** Of the notes of a section those that fit its prompt. */
function notesWithin(run: AgentRun, matter: Matter): Note[] {
  const { title, notes } = matter.outline.sections[matter.at];
  return fittingNotes(notes, `${title} ${run.brief!.goal}`, (lines) =>
    fitsContext(run, sectionPrompt, blocksOf(run, matter, lines)),
  );
}

/** Without a rewrite the first version stays. */
async function versions(
  run: AgentRun,
  matter: Matter,
  notes: readonly Note[],
): Promise<{ written: BoundSection } & Pick<SectionResult, 'failure'>> {
  let first = NOTHING;
  try {
    first = await versionOf(run, matter, notes);
    const faults = faultsOf(run, first.sentences);
    if (faults.length === 0) return { written: first };
    const again = await versionOf(run, matter, notes, faults);
    const isBetter = faultsOf(run, again.sentences).length <= faults.length;
    return { written: isBetter ? again : first };
  } catch (error) {
    if (error instanceof LimitReached) run.limitsReached.add(error.limit);
    else if (!(error instanceof ModelFailed)) throw error;
    const isWritten = first.sentences.length > 0;
    return { written: first, ...(!isWritten && { failure: error }) };
  }
}

async function versionOf(
  run: AgentRun,
  matter: Matter,
  notes: readonly Note[],
  faults?: readonly Fault[],
): Promise<BoundSection> {
  const { at } = matter;
  const detail = faults
    ? `Rewriting section ${at + 1}`
    : `Writing section ${at + 1}`;
  const key = faults ? `rewrite:${at}` : `write:${at}`;
  const callIn = (within: AgentRun) => {
    const given = within === run ? notes : notesWithin(within, matter);
    const blocks = blocksOf(within, matter, given.map(noteLine), faults);
    return callOf(within, sectionPrompt, blocks, detail);
  };
  const answer = await ask(run, key, callIn, run.allowance);
  const { sentences, layout } = flattened(answer);
  const bound = await bindSection(run, notes, { sentences });
  return { title: '', sentences: bound, layout };
}

function blocksOf(
  run: AgentRun,
  { outline, at, earlier }: Matter,
  lines: readonly string[],
  faults?: readonly Fault[],
): Blocks {
  const [question, wishes] = userBlocks(run, sectionPrompt);
  const { title, form, about, columns, rows } = outline.sections[at];
  const whole = {
    title: outline.title,
    words: lengthOf(run).words.join('-'),
    sections: outline.sections.map((one) => one.title),
    ...(outline.missing.length > 0 && { missing: outline.missing }),
  };
  const section = {
    index: at,
    title,
    form,
    ...(about.length > 0 && { about }),
    ...(form === 'table' && { columns, rows }),
  };
  const written = writtenText(run, sectionPrompt, earlier);
  return [
    question,
    ['brief', briefText(run.brief!)],
    wishes,
    ['outline', JSON.stringify(whole)],
    ['section', JSON.stringify(section)],
    ...(written ? [['written', written] as const] : []),
    ['notes', lines.join('\n')],
    ...(faults ? [['faults', JSON.stringify(faults)] as const] : []),
  ];
}
