import { ownTurn } from '../../../platform/own-turn';
import type { AgentRun } from '../agent-run';
import type { BoundSection, Contradiction, Note } from '../agent.types';
import { type Allowance, amountOf } from '../budget/allowance';
import type { Blocks } from '../prompts/prompt';
import { sectionPrompt } from '../prompts/section.prompt';
import { briefText, noteLine } from '../prompts/wishes';
import {
  bindSection,
  boundTitle,
  enforced,
  fromNotes,
} from '../text/section-binding';
import { flattened } from '../text/section-layout';
import { fittingNotes } from '../text/note-ranking';
import { ask } from '../steps/ask';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import { lengthOf, type ReportOutline } from './outline-stage';
import { mended } from './rewrite-stage';
import { verified } from './verify-stage';
import { writtenText } from '../steps/written-text';
import { callOf, fitsContext, titled, userBlocks } from '../steps/role-call';

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
 * Writes one section and compares it with its notes; what is found faulty is mended once. A section of which nothing can stay, or
 * that names none of its notes, is made of its best notes; one that a limit or its model leaves unwritten, of all its notes.
 * @param asks false: its model is not asked.
 */
export async function writeSection(
  run: AgentRun,
  matter: Matter,
  asks: boolean,
): Promise<SectionResult> {
  run.adoptContexts();
  const planned = matter.outline.sections[matter.at];
  const notes = notesWithin(run, matter);
  const { written, failure } = asks
    ? await writtenFrom(run, matter, notes)
    : { written: NOTHING };
  planned.isDone = true;
  const isUnwritten = !asks || failure !== undefined;
  const sound = enforced(run, await compared(run, matter, written, notes));
  const [own, most] = isUnwritten
    ? [planned.notes, planned.notes.length]
    : [notes, CLAIMS];
  // A text that rests on none of its notes is worth less than they are.
  const isFounded = sound.sentences.some(({ noteIds }) => noteIds.length > 0);
  const section = isFounded ? sound : await fromNotes(run, own, most);
  const given = titleOf(matter);
  const title =
    given && boundTitle(run, given, section.sentences, planned.notes);
  return {
    section: { ...section, title, ...(isUnwritten && { unwritten: true }) },
    ...(failure && { failure }),
  };
}

/** Of the words of another section. */
const ANSWER_SHARE = 0.5;

const NOTHING: BoundSection = { title: '', sentences: [] };

/** Of the notes of a section those that fit its prompt. */
function notesWithin(run: AgentRun, matter: Matter): Note[] {
  const { title, notes: planned } = matter.outline.sections[matter.at];
  // The answer may rest on all that the others rest on.
  const others = matter.at === 0 ? citedIn(run, matter.earlier) : [];
  const notes = [...new Set([...planned, ...others])];
  return fittingNotes(notes, `${title} ${run.brief!.goal}`, (lines) =>
    fitsContext(run, sectionPrompt, blocksOf(run, matter, lines)),
  );
}

function citedIn(run: AgentRun, sections: readonly BoundSection[]): Note[] {
  const ids = new Set(
    sections.flatMap(({ sentences }) =>
      sentences.flatMap((one) => one.noteIds),
    ),
  );
  return run.notes.filter(({ id }) => ids.has(id));
}

/** The section with its verdicts, after the faulty sentences were mended and judged again. */
async function compared(
  run: AgentRun,
  matter: Matter,
  written: BoundSection,
  notes: readonly Note[],
): Promise<BoundSection> {
  if (written.sentences.length === 0) return written;
  const { at } = matter;
  const allowance = await besideWriting(run, matter);
  const key = `verify:${at}`;
  const section = { ...written, title: titleOf(matter) };
  const sentences = await verified(run, key, section, notes, allowance);
  const judged = { ...section, sentences };
  return {
    ...judged,
    sentences: await mended(run, at, judged, notes, allowance),
  };
}

/** The answer stands under the title of the report. */
function titleOf({ outline, at }: Matter): string {
  return at === 0 ? '' : outline.sections[at].title;
}

/** What is left beside the sections that are not written yet. Other work gets its turn after each. */
async function besideWriting(
  run: AgentRun,
  matter: Matter,
): Promise<Allowance> {
  const { sections } = matter.outline;
  const output = run.outputLimit('writer', sectionPrompt.maxTokens);
  const left = { tokens: 0, costUsd: 0 };
  for (const at of sections.keys()) {
    if (sections[at].isDone) continue;
    const open = { ...matter, at };
    const lines = notesWithin(run, open).map(noteLine);
    const blocks = blocksOf(run, open, lines);
    const { inputTokens } = callOf(run, sectionPrompt, blocks, '');
    const call = amountOf(run.model('writer'), inputTokens, output);
    left.tokens += call.tokens;
    left.costUsd += call.costUsd;
    await ownTurn();
  }
  return run.allowance.keeping(left);
}

async function writtenFrom(
  run: AgentRun,
  matter: Matter,
  notes: readonly Note[],
): Promise<{ written: BoundSection } & Pick<SectionResult, 'failure'>> {
  const { at } = matter;
  const title = titleOf(matter);
  const callIn = (within: AgentRun) => {
    const given = within === run ? notes : notesWithin(within, matter);
    const blocks = blocksOf(within, matter, given.map(noteLine));
    const detail = titled(run, `Writing section ${at + 1}`, title);
    return callOf(within, sectionPrompt, blocks, detail);
  };
  try {
    const answer = await ask(run, `write:${at}`, callIn, run.allowance);
    const { sentences, layout } = flattened(answer);
    const bound = await bindSection(run, notes, { sentences });
    return { written: { title: '', sentences: bound, layout } };
  } catch (error) {
    if (error instanceof LimitReached) run.limitsReached.add(error.limit);
    else if (!(error instanceof ModelFailed)) throw error;
    return { written: NOTHING, failure: error };
  }
}

function blocksOf(
  run: AgentRun,
  { outline, at, earlier }: Matter,
  lines: readonly string[],
): Blocks {
  const [question, wishes] = userBlocks(run, sectionPrompt);
  const { title, form, about, columns, rows } = outline.sections[at];
  const contradictions = between(run, outline, at);
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
    words: wordsOf(run, outline, at),
    ...(about.length > 0 && { about }),
    ...(contradictions.length > 0 && { contradictions }),
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
  ];
}

/** What its critic found between notes of the section, where no earlier one says it. The answer is no section of its own. */
function between(
  run: AgentRun,
  { sections: [, ...sections] }: ReportOutline,
  at: number,
): Contradiction[] {
  return run.contradictions.flatMap(({ note_ids, about }) => {
    const within = sections.map(({ notes }) =>
      note_ids.filter((id) => notes.some((note) => note.id === id)),
    );
    const first = within.findIndex((ids) => ids.length > 1);
    return first === at - 1 ? [{ note_ids: within[first], about }] : [];
  });
}

/** The share of one section in the words of the report. The answer is short. */
function wordsOf(run: AgentRun, { sections }: ReportOutline, at: number) {
  const shares = sections.length - 1 + ANSWER_SHARE;
  const share = at === 0 && sections.length > 1 ? ANSWER_SHARE : 1;
  const each = lengthOf(run).words.map(
    (most) => Math.round((most * share) / shares / 10) * 10,
  );
  return each.join('-');
}
