import { cleaned, isSentence, ORDER, shared, termsOf } from '../extract';
import { briefIn, linesIn } from '../role-inputs';
import type { Notes, RoleRequest } from '../role.types';

const MOST_NOTES = 12;

/** The sentences of the page that share most with the brief, in their order. What the page orders is never noted. */
export function notes({ data }: RoleRequest): Notes {
  const { goal, sub_questions, excluded } = briefIn(data);
  const wanted = termsOf(goal, ...sub_questions);
  const unwanted = termsOf(...excluded);
  const scored = linesIn(data)
    .map(({ number, text }) => ({
      number,
      text,
      score: shared(text, wanted),
    }))
    .filter(
      ({ text, score }) =>
        score > 0 &&
        isSentence(text) &&
        shared(text, unwanted) === 0 &&
        !ORDER.test(text),
    )
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, MOST_NOTES)
    .sort((a, b) => a.number - b.number);
  return {
    notes: scored.map(({ number, text }) => ({
      claim: cleaned(text),
      sentences: [number],
      kind: 'fact',
      importance: 2,
    })),
  };
}
