import { ownTurn } from '../../../platform/own-turn';
import type { AgentRun } from '../agent-run';
import type {
  BoundSection,
  BoundSentence,
  Note,
  SentenceKind,
} from '../agent.types';
import type { WrittenSentence } from '../prompts/section.prompt';
import { plainSentence } from './clean-text';

type Written = Omit<WrittenSentence, 'kind'> &
  Partial<Pick<WrittenSentence, 'kind'>>;

export interface Fault {
  text: string;
  verdict: string;
}

/** Sentences that say something of their notes. */
const CLAIMING: readonly SentenceKind[] = ['fact', 'judgement'];

/**
 * Each sentence with the notes that it rests on, and with its verdict unless the run verifies nothing. Other work gets its turn
 * after each sentence.
 */
export async function bindSection(
  run: AgentRun,
  notes: readonly Note[],
  { sentences }: { sentences: readonly Written[] },
): Promise<BoundSentence[]> {
  const known = new Map(notes.map((note) => [note.id, note]));
  const bound: BoundSentence[] = [];
  for (const { text, note_ids, kind = 'fact' } of sentences) {
    const plain = plainSentence(text);
    if (plain === '') continue;
    const named = [...new Set(note_ids)].flatMap((id) => known.get(id) ?? []);
    const one = CLAIMING.includes(kind)
      ? boundSentence(run, plain, named)
      : { text: plain, noteIds: named.map(({ id }) => id) };
    bound.push(kind === 'fact' ? one : { ...one, kind });
    await ownTurn();
  }
  return bound;
}

function boundSentence(
  run: AgentRun,
  text: string,
  named: readonly Note[],
): BoundSentence {
  const ids = named.map(({ id }) => id);
  if (run.task.verify === 'off') return { text, noteIds: ids };
  if (named.length === 0) return { text, noteIds: [], verdict: 'unsupported' };
  const { verdict, noteIds } = run.ports.evidence.bind(text, named);
  return { text, noteIds: noteIds.length > 0 ? [...noteIds] : ids, verdict };
}

/** What the one rewrite is to mend. */
export function faultsOf(
  run: AgentRun,
  sentences: readonly BoundSentence[],
): Fault[] {
  return sentences.flatMap(({ text, verdict }) =>
    verdict && isFault(run, verdict) ? [{ text, verdict }] : [],
  );
}

/** With `enforce`, without the sentences that differ from their notes. */
export function enforced(
  run: AgentRun,
  sentences: readonly BoundSentence[],
): BoundSentence[] {
  if (run.task.verify !== 'enforce') return [...sentences];
  return sentences.filter(({ verdict }) => !verdict || !isFault(run, verdict));
}

/** The section out of its notes' statements, or else of their quotes: where nothing that was written can stay. */
export async function fromNotes(
  run: AgentRun,
  notes: readonly Note[],
  most: number,
): Promise<BoundSentence[]> {
  for (const field of ['claim', 'quote'] as const) {
    const sentences = notes.map((note) => ({
      text: note[field],
      note_ids: [note.id],
    }));
    const bound = await bindSection(run, notes, { sentences });
    const sound = bound.filter(
      ({ verdict }) => !verdict || !isFault(run, verdict),
    );
    if (sound.length > 0) return sound.slice(0, most);
  }
  return [];
}

/** The title, unless it holds a number or a negation that its notes do not have. */
export function boundTitle(
  run: AgentRun,
  title: string,
  sentences: BoundSection['sentences'],
  notes: readonly Note[],
): string {
  if (run.task.verify !== 'enforce' || !/\p{N}/u.test(title)) return title;
  const used = new Set(sentences.flatMap(({ noteIds }) => noteIds));
  const evidence = notes.filter(({ id }) => used.has(id));
  if (evidence.length === 0) return '';
  const { verdict } = run.ports.evidence.bind(title, evidence);
  return verdict === 'number_differs' ? '' : title;
}

function isFault(run: AgentRun, verdict: string): boolean {
  if (verdict === 'unsupported') return run.task.args.require_citations;
  return verdict === 'number_differs' || verdict === 'contradicted';
}
