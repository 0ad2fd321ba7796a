import { ownTurn } from '../../../platform/own-turn';
import type { AgentRun } from '../agent-run';
import type { BoundSection, BoundSentence, Note } from '../agent.types';
import type { Allowance } from '../budget/allowance';
import type { Blocks } from '../prompts/prompt';
import {
  type Judgement,
  MAX_JUDGED,
  verifyPrompt,
} from '../prompts/verify.prompt';
import { ask } from '../steps/ask';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import { callOf, fitsContext, titled, userBlocks } from '../steps/role-call';
import {
  type Asked,
  comparedOf,
  judged,
  type Judged,
  judgedLine,
  notShown,
  passagesOf,
  verifierOf,
} from '../text/judged';
import { withSubjects } from '../text/section-layout';
import { mostThatFit } from '../text/note-ranking';

/**
 * The sentences of a section with what a model finds where no comparison decided. What it shows is looked up: what stands nowhere
 * is asked about once more. Without a usable answer, a budget or a model they stay `unchecked`.
 * @param allowance what it may use: the sections that are not written yet come first.
 */
export async function verified(
  run: AgentRun,
  key: string,
  section: BoundSection,
  notes: readonly Note[],
  allowance: Allowance,
): Promise<BoundSentence[]> {
  if (!verifierOf(run)) return section.sentences;
  const asked = askedIn(run, section, notes);
  const found = new Map<string, Judged>();
  try {
    const detail = titled(run, CHECKING, section.title);
    await askedAbout(run, { key, asked, detail }, found, allowance);
    const open = asked.filter(({ id }) => !found.has(id));
    const again = { key: `${key}:again`, asked: open, detail, isAgain: true };
    await askedAbout(run, again, found, allowance);
  } catch (error) {
    if (error instanceof LimitReached) run.limitsReached.add(error.limit);
    else if (!(error instanceof ModelFailed)) throw error;
  }
  return section.sentences.map((one, at) => ({
    ...one,
    ...found.get(idOf(at)),
  }));
}

const CHECKING = 'Checking sentences against their quotes';
const idOf = (at: number): string => `s${at + 1}`;

function askedIn(
  { sources }: AgentRun,
  section: BoundSection,
  notes: readonly Note[],
): Asked[] {
  const known = new Map(notes.map((note) => [note.id, note]));
  const texts = withSubjects(section);
  return section.sentences.flatMap(
    ({ noteIds, kind, verdict }, at): Asked[] => {
      const named = noteIds.flatMap((id) => known.get(id) ?? []);
      if (verdict !== 'unchecked' || named.length === 0) return [];
      return [
        {
          id: idOf(at),
          text: texts[at],
          kind: kind === 'judgement' ? kind : 'fact',
          passages: passagesOf(named, sources),
        },
      ];
    },
  );
}

interface Round {
  key: string;
  asked: readonly Asked[];
  /** The progress event. */
  detail: string;
  isAgain?: boolean;
}

/** Asks in as few calls as the context of the model allows. */
async function askedAbout(
  run: AgentRun,
  { key, asked, detail, isAgain }: Round,
  found: Map<string, Judged>,
  allowance: Allowance,
): Promise<void> {
  let open = asked;
  for (let part = 0; open.length > 0; part += 1) {
    const lines = await linesOf(open.slice(0, MAX_JUDGED));
    let shown: readonly Asked[] = [];
    const callIn = (within: AgentRun) => {
      const [question] = userBlocks(within, verifyPrompt);
      const blocks = (count: number): Blocks => [
        ...(judges(open.slice(0, count)) ? [question] : []),
        ['sentences', lines.slice(0, count).join('\n')],
        ...(isAgain ? [notShown(open.slice(0, count))] : []),
      ];
      const fits = (count: number): boolean =>
        fitsContext(within, verifyPrompt, blocks(count));
      const count = Math.max(1, mostThatFit(lines.length, fits));
      shown = open.slice(0, count);
      return callOf(within, verifyPrompt, blocks(count), detail);
    };
    const { answers } = await ask(run, `${key}:${part}`, callIn, allowance);
    for (const one of shown) {
      const finding = findingOf(one, answers);
      if (finding) found.set(one.id, finding);
      await ownTurn();
    }
    open = open.slice(shown.length);
  }
}

/** What the user says of the own case is a premise of conclusions alone. */
function judges(asked: readonly Asked[]): boolean {
  return asked.some(({ kind }) => kind === 'judgement');
}

/** Other work gets its turn after each. */
async function linesOf(asked: readonly Asked[]): Promise<string[]> {
  const lines: string[] = [];
  for (const one of asked) {
    lines.push(judgedLine(one));
    await ownTurn();
  }
  return lines;
}

function findingOf(
  asked: Asked,
  answers: readonly Judgement[],
): Judged | undefined {
  const answer = answers.find(({ id }) => id === asked.id);
  return answer && judged(answer, comparedOf(asked));
}
