/** The blocks of a prompt by their names. */
export type Blocks = Readonly<Record<string, string>>;

export interface GivenNote {
  id: string;
  claim: string;
  quote: string;
  source: number;
}

/** What a role answers: an object that becomes JSON, or a text as it is. */
export type Answer = (blocks: Blocks) => unknown;
export type Roles = Readonly<Record<string, Answer>>;

const BLOCK = /<data name="([a-z_]+)">\n([\s\S]*?)\n<\/data>/g;

export function blocksOf(prompt: string): Blocks {
  return Object.fromEntries(
    [...prompt.matchAll(BLOCK)].map(([, name, content]) => [name, content]),
  );
}

export const notesIn = ({ notes = '' }: Blocks): GivenNote[] =>
  objectsIn<GivenNote>(notes);

/** One on each line. */
const objectsIn = <T>(content: string): T[] =>
  content
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

/** What a verifier is asked about. */
export const judgedIn = ({ sentences = '' }: Blocks) =>
  objectsIn<{ id: string; sentence: string; passages: { quotes: string[] }[] }>(
    sentences,
  );

/** The sentences that are to be written again. */
export const faultyIn = ({ faulty = '' }: Blocks) =>
  objectsIn<{
    id: string;
    text: string;
    note_ids: string[];
    found: string;
    detail?: string;
  }>(faulty);

const LINE = /^\[(\d+)\] (.*)$/gm;

/** The numbered lines of the part of a page that a reader is shown. */
export function linesIn({ page }: Blocks): { number: number; text: string }[] {
  return [...page.matchAll(LINE)].map(([, number, text]) => ({
    number: Number(number),
    text,
  }));
}

export const noteOf = (number: number, claim: string) => ({
  claim,
  sentences: [number],
  kind: 'fact',
  importance: 2,
});

/** A model that says what its prompt says and nothing else. */
export const honestRoles: Roles = {
  research_scope: ({ question }) => ({
    goal: question,
    sub_questions: [question],
    language: 'en',
    recency: 'any',
    excluded: [],
    depth: 'standard',
  }),
  research_plan: () => ({
    directions: [
      { title: 'Height', queries: ['tower height', 'tower metres'] },
      { title: 'History', queries: ['tower history'] },
    ],
  }),
  /** All candidates, in their order. */
  research_choice: ({ candidates }) => {
    const lines = candidates
      .split('\n')
      .map((line) => JSON.parse(line) as { n: number; direction: number });
    return {
      lists: [...new Set(lines.map(({ direction }) => direction))].map(
        (at) => ({
          direction: at,
          candidates: lines
            .filter(({ direction }) => direction === at)
            .map(({ n }) => n),
        }),
      ),
    };
  },
  research_notes: (blocks) => ({
    notes: linesIn(blocks)
      .filter(({ text }) => text.length > 20 && /[.!?]$/.test(text))
      .slice(0, 6)
      .map(({ number, text }) => noteOf(number, text)),
  }),
  research_gaps: () => ({
    sufficient: true,
    missing: [],
    contradictions: [],
    open: [],
    queries: [],
  }),
  research_outline: (blocks) => {
    const ids = notesIn(blocks).map(({ id }) => id);
    return {
      title: 'The tower',
      sections: [
        { title: 'Answer', note_ids: ids.slice(0, 2) },
        { title: 'Details', note_ids: ids.slice(2) },
      ],
    };
  },
  /** Supported is what stands in a quote word for word. */
  research_verify: (blocks) => ({
    answers: judgedIn(blocks).map(({ id, sentence, passages }) => {
      const quotes = passages.flatMap((one) => one.quotes);
      const isStated = quotes.some((quote) => quote.includes(sentence));
      return isStated
        ? { id, words: [sentence], verdict: 'supported' }
        : { id, differs: sentence.slice(0, 200), verdict: 'not_stated' };
    }),
  }),
  /** Each in the words of its first note. */
  research_rewrite: (blocks) => {
    const notes = new Map(notesIn(blocks).map((note) => [note.id, note]));
    return {
      sentences: faultyIn(blocks).flatMap(({ id, note_ids }) => {
        const note = notes.get(note_ids[0]);
        return note ? [{ id, text: note.quote, note_ids: [note.id] }] : [];
      }),
    };
  },
  research_section: (blocks) => ({
    sentences: toldNotes(blocks).map(({ id, claim }) => ({
      text: claim,
      note_ids: [id],
    })),
  }),
};

/** The first ones for an answer that is written from the rest of the report; else all. */
export function toldNotes(blocks: Blocks): GivenNote[] {
  const notes = notesIn(blocks);
  const { index } = JSON.parse(blocks.section) as { index: number };
  return index === 0 && blocks.written ? notes.slice(0, 2) : notes;
}
