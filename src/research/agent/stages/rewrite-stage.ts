import type { AgentRun } from '../agent-run';
import type { BoundSection, BoundSentence, Note } from '../agent.types';
import type { Allowance } from '../budget/allowance';
import type { Blocks } from '../prompts/prompt';
import { MAX_REWRITTEN, rewritePrompt } from '../prompts/rewrite.prompt';
import { briefText, noteLine } from '../prompts/wishes';
import { ask } from '../steps/ask';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import { callOf, fitsContext, titled, userBlocks } from '../steps/role-call';
import { bindSection, isFaulty } from '../text/section-binding';
import { withSubjects } from '../text/section-layout';
import { mostThatFit } from '../text/note-ranking';
import { verified } from './verify-stage';

interface Faulty extends BoundSentence {
  at: number;
}

/**
 * The sentences of a section, the faulty ones written again once and judged again. What is still faulty, and what a limit or a
 * failure leaves, stays as it was.
 */
export async function mended(
  run: AgentRun,
  at: number,
  section: BoundSection,
  notes: readonly Note[],
  allowance: Allowance,
): Promise<BoundSentence[]> {
  const { sentences } = section;
  const faulty = sentences
    .map((one, index): Faulty => ({ ...one, at: index }))
    .filter(isFaulty)
    .slice(0, MAX_REWRITTEN);
  if (faulty.length === 0) return sentences;
  const again = await rewritten(run, at, section, faulty, notes, allowance);
  if (again.size === 0) return sentences;
  // Those that are not written again have their verdicts.
  const tried = sentences.map((one, index) => again.get(index) ?? one);
  const judged = await verified(
    run,
    `verify:${at}:mended`,
    { ...section, sentences: tried },
    notes,
    allowance,
  );
  return judged.map((one, index) => (isFaulty(one) ? sentences[index] : one));
}

/** By the place of the sentence. */
async function rewritten(
  run: AgentRun,
  at: number,
  section: BoundSection,
  faulty: readonly Faulty[],
  notes: readonly Note[],
  allowance: Allowance,
): Promise<Map<number, BoundSentence>> {
  let shown: readonly Faulty[] = [];
  const callIn = (within: AgentRun) => {
    const fits = (blocks: Blocks): boolean =>
      fitsContext(within, rewritePrompt, blocks);
    const detail = titled(run, `Mending section ${at + 1}`, section.title);
    // What a sentence says may stand in a note of the section that it does not name.
    const whole = blocksOf(within, section, faulty, notes);
    shown = faulty;
    if (fits(whole)) return callOf(within, rewritePrompt, whole, detail);
    const blocks = (count: number): Blocks => {
      const some = faulty.slice(0, count);
      return blocksOf(within, section, some, namedBy(some, notes));
    };
    const most = mostThatFit(faulty.length, (count) => fits(blocks(count)));
    const count = Math.max(1, most);
    shown = faulty.slice(0, count);
    return callOf(within, rewritePrompt, blocks(count), detail);
  };
  const found = new Map<number, BoundSentence>();
  try {
    const made = await ask(run, `rewrite:${at}`, callIn, allowance);
    for (const one of shown) {
      const answer = made.sentences.find(({ id }) => id === idOf(one));
      if (!answer) continue;
      const written = { ...answer, kind: one.kind };
      const [bound] = await bindSection(run, notes, { sentences: [written] });
      if (bound) found.set(one.at, bound);
    }
  } catch (error) {
    if (error instanceof LimitReached) run.limitsReached.add(error.limit);
    else if (!(error instanceof ModelFailed)) throw error;
  }
  return found;
}

const idOf = ({ at }: Faulty): string => `s${at + 1}`;

function namedBy(faulty: readonly Faulty[], notes: readonly Note[]): Note[] {
  const named = new Set(faulty.flatMap(({ noteIds }) => noteIds));
  // A sentence that names no note may find one.
  if (named.size === 0) return [...notes];
  return notes.filter(({ id }) => named.has(id));
}

function blocksOf(
  run: AgentRun,
  section: BoundSection,
  faulty: readonly Faulty[],
  notes: readonly Note[],
): Blocks {
  const [question] = userBlocks(run, rewritePrompt);
  const lines = faulty.map((one) =>
    JSON.stringify({
      id: idOf(one),
      text: one.text,
      ...(one.kind && { kind: one.kind }),
      note_ids: one.noteIds,
      found: one.verdict,
      ...(one.detail && { detail: one.detail }),
    }),
  );
  return [
    question,
    ['brief', briefText(run.brief!)],
    ['section', withSubjects(section).join('\n')],
    ['faulty', lines.join('\n')],
    ['notes', notes.map(noteLine).join('\n')],
  ];
}
