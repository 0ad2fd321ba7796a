import { ownTurn } from '../../../platform/own-turn';
import { ruled } from '../../../sources/evidence/rules';
import type { AgentRun } from '../agent-run';
import type {
  BoundSection,
  BoundSentence,
  LayoutBlock,
  Note,
} from '../agent.types';
import type { WrittenSentence } from '../prompts/section.prompt';
import { plainSentence, plainTitle } from './clean-text';
import { comparedOf, passagesOf, standsUnder } from './judged';
import { kept } from './section-layout';

type Written = Pick<WrittenSentence, 'text'> &
  Partial<Pick<WrittenSentence, 'kind'>> & { note_ids: readonly string[] };

const FAULTS: ReadonlySet<string> = new Set([
  'contradicted',
  'unsupported',
  'number_differs',
  'text_differs',
]);

/**
 * Each sentence with the notes that it rests on, and with the verdict of a comparison of texts; `unchecked` where there is none.
 * Without a verdict: what claims nothing, and everything where the run verifies nothing. Other work gets its turn after each.
 */
export async function bindSection(
  run: AgentRun,
  notes: readonly Note[],
  { sentences }: { sentences: readonly Written[] },
): Promise<BoundSentence[]> {
  const known = new Map(notes.map((note) => [note.id, note]));
  const bound: BoundSentence[] = [];
  for (const { text, note_ids, kind } of sentences) {
    const plain = plainSentence(text);
    if (plain === '') continue;
    const named = [...new Set(note_ids)].flatMap((id) => known.get(id) ?? []);
    bound.push({
      ...boundSentence(plain, named, kind),
      ...ruledBy(run, plain, named, kind),
    });
    await ownTurn();
  }
  return bound;
}

function boundSentence(
  text: string,
  named: readonly Note[],
  kind: BoundSentence['kind'],
): BoundSentence {
  return {
    text,
    noteIds: named.map(({ id }) => id),
    ...(kind && kind !== 'fact' && { kind }),
  };
}

function ruledBy(
  run: AgentRun,
  text: string,
  named: readonly Note[],
  kind: BoundSentence['kind'],
): Pick<BoundSentence, 'verdict' | 'checkedBy' | 'detail'> {
  const { verify, args } = run.task;
  if (verify === 'off' || !claims(text, kind)) return {};
  if (named.length === 0)
    return args.require_citations
      ? { verdict: 'unsupported', checkedBy: 'text' }
      : { verdict: 'unchecked' };
  const compared = comparedOf({ text, passages: passagesOf(named) });
  // Numbers of the user's own case need no quote where a conclusion has them.
  if (kind === 'judgement') compared.heading += `\n${args.research_question}`;
  const found = ruled(compared);
  if (!found) return { verdict: 'unchecked' };
  const { verdict, detail } = found;
  return { verdict, checkedBy: 'text', ...(detail && { detail }) };
}

/** What was looked for and not found claims nothing, nor does a transition, unless it has a number or a name. */
function claims(text: string, kind: BoundSentence['kind']): boolean {
  if (kind === 'absent') return false;
  return kind !== 'link' || /\p{N}|.\p{Lu}/u.test(text);
}

/** Whether it says what its notes do not say. */
export const isFaulty = ({ verdict }: BoundSentence): boolean =>
  verdict !== undefined && FAULTS.has(verdict);

/** With `enforce`, without the sentences that differ from their notes. */
export function enforced(run: AgentRun, section: BoundSection): BoundSection {
  if (run.task.verify !== 'enforce') return section;
  return kept(section, (one) => !isFaulty(one));
}

/**
 * The section out of its notes: of their statements or, where only what stands on a page may be said, of their quotes, each below
 * what it stands under there, where its subject is if it has none of its own.
 */
export async function fromNotes(
  run: AgentRun,
  notes: readonly Note[],
  most: number,
): Promise<BoundSection> {
  const isQuoted = run.task.verify === 'enforce';
  const first = notes.slice(0, most);
  const ordered = isQuoted ? inPlace(first) : first;
  const given = ordered.map(({ id, quote, claim }) => ({
    text: isQuoted ? quote : claim,
    note_ids: [id],
  }));
  const sentences = await bindSection(run, notes, { sentences: given });
  const layout = isQuoted && { layout: byPlace(sentences, notes) };
  return enforced(run, { title: '', sentences, ...layout });
}

/** Those of one place together, places in the order in which they first come. */
function inPlace(notes: readonly Note[]): Note[] {
  const places = new Map<string, Note[]>();
  for (const note of notes) {
    const place = placeOf(note);
    places.set(place, [...(places.get(place) ?? []), note]);
  }
  return [...places.values()].flat();
}

const placeOf = (note: Note): string => plainTitle(standsUnder(note));

function byPlace(
  sentences: readonly BoundSentence[],
  notes: readonly Note[],
): LayoutBlock[] {
  const known = new Map(notes.map((note) => [note.id, note]));
  const places = new Map<string, number[]>();
  for (const [at, { noteIds }] of sentences.entries()) {
    const place = placeOf(known.get(noteIds[0])!);
    places.set(place, [...(places.get(place) ?? []), at]);
  }
  return [...places].flatMap(([text, own]): LayoutBlock[] => [
    { type: 'heading', text },
    { type: 'paragraph', sentences: own },
  ]);
}

/** The title, unless it holds a number that its notes do not have. */
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
  const compared = comparedOf({ text: title, passages: passagesOf(evidence) });
  const found = ruled(compared);
  return found?.verdict === 'number_differs' ? '' : title;
}
