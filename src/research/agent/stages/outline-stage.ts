import type { AgentRun } from '../agent-run';
import type { DepthLimits } from '../budget/depths';
import type { Note } from '../agent.types';
import {
  type Outline,
  outlinePrompt,
  type SectionForm,
} from '../prompts/outline.prompt';
import type { Blocks } from '../prompts/prompt';
import { briefText, noteLine } from '../prompts/wishes';
import { plainSentence, plainTitle } from '../text/clean-text';
import { fittingNotes } from '../text/note-ranking';
import { ask } from '../steps/ask';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import { callOf, fitsContext, userBlocks } from '../steps/role-call';

export interface PlannedSection {
  title: string;
  notes: Note[];
  form: SectionForm;
  /** The criteria of the brief that it serves. */
  about: string[];
  /** Of a table. */
  columns: string[];
  rows: string[];
  /** It is written, or left to its notes. */
  isDone?: true;
}

export interface ReportOutline {
  title: string;
  sections: PlannedSection[];
  /** What the notes do not say, in plain text. */
  missing: string[];
}

/** Notes of the answer if the outline names none. */
const ANSWER_NOTES = 8;
/** The most of a brief, with the answer. */
const BRIEF = { sections: 4, words: [300, 700] } as const;

/** The sections of the report. Without an outliner: the answer, and a section per source. */
export async function outline(run: AgentRun): Promise<ReportOutline> {
  const brief = run.brief!;
  const { sections, words } = lengthOf(run);
  const { contradictions, missing } = run;
  const more = {
    max_sections: sections,
    words: words.join('-'),
    ...(contradictions.length > 0 && { contradictions }),
    ...(missing.length > 0 && { missing }),
  };
  const blocks = (within: AgentRun, lines: readonly string[]): Blocks => {
    const [question, wishes] = userBlocks(within, outlinePrompt);
    return [
      question,
      ['brief', briefText(brief, more)],
      wishes,
      ['notes', lines.join('\n')],
    ];
  };
  const about = [brief.goal, ...brief.sub_questions].join(' ');
  let notes: Note[] = [];
  const callIn = (within: AgentRun) => {
    notes = fittingNotes(run.notes, about, (lines) =>
      fitsContext(within, outlinePrompt, blocks(within, lines)),
    );
    const given = blocks(within, notes.map(noteLine));
    return callOf(within, outlinePrompt, given, 'Outline');
  };
  try {
    const made = await ask(run, 'outline', callIn, run.allowance);
    return usable(run, made, notes, sections);
  } catch (error) {
    if (error instanceof LimitReached) run.limitsReached.add(error.limit);
    else if (!(error instanceof ModelFailed)) throw error;
    return bySource(run, notes, sections);
  }
}

/** The most sections of the report, and its words where the order names no length. */
export function lengthOf({
  limits: { sections, words },
  task,
}: AgentRun): Pick<DepthLimits, 'sections' | 'words'> {
  if (task.args.deliverable_format !== 'markdown_brief')
    return { sections, words };
  return {
    sections: Math.min(sections, BRIEF.sections),
    words: [
      Math.min(words[0], BRIEF.words[0]),
      Math.min(words[1], BRIEF.words[1]),
    ],
  };
}

function usable(
  run: AgentRun,
  made: Outline,
  notes: readonly Note[],
  most: number,
): ReportOutline {
  const known = new Map(notes.map((note) => [note.id, note]));
  const [answer, ...others] = made.sections.slice(0, most).map((section) => ({
    ...section,
    title: plainTitle(section.title),
    notes: [...new Set(section.note_ids)].flatMap((id) => known.get(id) ?? []),
  }));
  if (answer.notes.length === 0) answer.notes = best(run, notes);
  const founded = others.filter((one) => one.notes.length > 0);
  // What the outline names no note for is missing, whether it says so or not.
  const empty = others.filter((one) => one.notes.length === 0);
  const missing = [...made.missing, ...empty.map(({ title }) => title)];
  return {
    title: plainTitle(made.title),
    sections: [answer, ...founded],
    missing: [...new Set(missing.map(plainSentence).filter(Boolean))],
  };
}

const PLAIN = {
  form: 'prose' as const,
  about: [],
  columns: [],
  rows: [],
};

function bySource(
  run: AgentRun,
  notes: readonly Note[],
  most: number,
): ReportOutline {
  const sources = [...new Set(notes.map(({ source }) => source))];
  const sections = sources.slice(0, most - 1).map((source) => {
    const own = notes.filter((note) => note.source === source);
    return { ...PLAIN, title: plainTitle(own[0].title), notes: own };
  });
  return {
    title: '',
    sections: [{ ...PLAIN, title: '', notes: best(run, notes) }, ...sections],
    missing: [],
  };
}

function best(run: AgentRun, notes: readonly Note[]): Note[] {
  const question = run.task.args.research_question;
  return fittingNotes(notes, question, (lines) => lines.length <= ANSWER_NOTES);
}
