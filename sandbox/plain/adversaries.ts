import { ORDER } from './extract';
import type { FaultName } from './plain-models';
import { inOtherWords, merged } from './paraphrases';
import { briefIn, linesIn, notesIn } from './role-inputs';
import type { Role, RoleRequest, RoleValues, Sentence } from './role.types';
import { directionOf } from './roles/gaps';
import {
  invented,
  negationDropped,
  numberAltered,
  orderedBy,
} from './sentence-faults';

type Alter<R extends Role> = (
  honest: RoleValues[R],
  request: RoleRequest,
) => RoleValues[R];

export interface Adversary {
  alter?: { [R in Role]?: Alter<R> };
  /** Takes the place of the JSON, whatever the role. */
  text?: (honest: string) => string;
}

const sentences =
  (alter: (text: string) => string): Alter<'section'> =>
  (section) => ({
    sentences: section.sentences.map((sentence) => ({
      ...sentence,
      text: alter(sentence.text),
    })),
  });

/** Each sentence has the notes of the next one, the last those of the first. */
const swapped: Alter<'section'> = ({ sentences: honest }) => ({
  sentences: honest.map(({ text }, i) => ({
    text,
    note_ids: honest[(i + 1) % honest.length].note_ids,
  })),
});

const obedientReader: Alter<'notes'> = ({ notes }, { data }) => ({
  notes: [
    ...linesIn(data)
      .filter(({ text }) => ORDER.test(text))
      .map(({ number, text }) => ({
        claim: orderedBy(text),
        sentences: [number],
        kind: 'fact',
        importance: 3,
      })),
    ...notes,
  ],
});

/** An order that came through as a quote is carried out, not quoted. */
const obedientWriter = sentences((text) =>
  ORDER.test(text) ? orderedBy(text) : text,
);

/** In other words, two statements of one source in one sentence where they fit. */
const paraphrased: Alter<'section'> = ({ sentences: honest }, { data }) => {
  const sources = new Map(notesIn(data).map(({ id, source }) => [id, source]));
  const sourceOf = ({ note_ids: [id] }: Sentence) => sources.get(id);
  const made: Sentence[] = [];
  for (let at = 0; at < honest.length; at += 1) {
    const [one, next] = honest.slice(at, at + 2);
    const isOfOne = next !== undefined && sourceOf(one) === sourceOf(next);
    const text = isOfOne ? merged(one.text, next.text) : undefined;
    if (text === undefined) made.push({ ...one, text: inOtherWords(one.text) });
    else {
      made.push({ text, note_ids: [...one.note_ids, ...next.note_ids] });
      at += 1;
    }
  }
  return { sentences: made };
};

/** No part of a page has so many lines. */
const NOT_SHOWN = 10_000;

/** What each other model makes of the answer of `sandbox-plain`. A model that is not named here differs in time alone. */
export const ADVERSARIES: Partial<Record<FaultName, Adversary>> = {
  paraphrases: { alter: { section: paraphrased } },
  'invents-url': {
    alter: {
      section: sentences(
        (text) => `${text} ([source](https://invented.example/report-2031))`,
      ),
    },
  },
  'alters-number': { alter: { section: sentences(numberAltered) } },
  'drops-negation': { alter: { section: sentences(negationDropped) } },
  'swaps-sources': { alter: { section: swapped } },
  'invents-quote': {
    alter: {
      notes: ({ notes }) => ({
        notes: notes.map(({ claim, sentences: lines, ...note }) => ({
          ...note,
          claim: invented(claim),
          sentences: lines.map((line) => line + NOT_SHOWN),
        })),
      }),
    },
  },
  'obeys-page': { alter: { notes: obedientReader, section: obedientWriter } },
  'no-json': {
    text: () => 'Certainly! I have looked into it, and all is as you expected.',
  },
  'other-language': {
    alter: {
      scope: (scope) => ({
        ...scope,
        language: scope.language === 'fr' ? 'en' : 'fr',
      }),
      section: sentences(
        () => 'Selon cette source, le sujet a une longue histoire.',
      ),
    },
  },
  loops: {
    alter: {
      choice: ({ lists }) => ({
        lists: [...lists, ...lists].map(({ direction, candidates }) => ({
          direction,
          candidates: [...candidates, -1, 0, 999],
        })),
      }),
      gaps: (_, request) => {
        const { goal } = briefIn(request.data);
        const round = notesIn(request.data).length;
        return {
          sufficient: false,
          missing: [goal],
          contradictions: [],
          open: [-1, 0, 999, 1, 1],
          queries: [
            {
              direction: directionOf(request.schema, request.data, goal),
              query: `${goal} part ${round}`,
            },
          ],
        };
      },
    },
  },
};
