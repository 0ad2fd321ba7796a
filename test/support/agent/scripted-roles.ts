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

export function notesIn({ notes = '' }: Blocks): GivenNote[] {
  return notes
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as GivenNote);
}

function sentencesIn(page: string): string[] {
  return page
    .split(/(?<=[.!?])\s+/)
    .map((one) => one.trim())
    .filter((one) => one.length > 20 && /[.!?]$/.test(one));
}

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
  research_notes: ({ page }) => ({
    notes: sentencesIn(page)
      .slice(0, 6)
      .map((quote) => ({ claim: quote, quote })),
  }),
  research_quotes: () => ({ quotes: [] }),
  research_gaps: () => ({
    sufficient: true,
    missing: [],
    contradictions: [],
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
  research_section: (blocks) => ({
    sentences: notesIn(blocks).map(({ id, claim }) => ({
      text: claim,
      note_ids: [id],
    })),
  }),
};
