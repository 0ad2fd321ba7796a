import { cleaned, ORDER, sentencesIn, shared, termsOf } from '../extract';
import { briefIn } from '../role-inputs';
import type { Notes, RoleRequest } from '../role.types';

const MOST_NOTES = 12;

/** The sentences of the page that share most with the brief, in their order. What the page orders is never noted. */
export function notes({ data }: RoleRequest): Notes {
  const { goal, sub_questions, excluded } = briefIn(data);
  const wanted = termsOf(goal, ...sub_questions);
  const unwanted = termsOf(...excluded);
  const scored = [...new Set(sentencesIn(data.text('page')))]
    .map((sentence, index) => ({
      sentence,
      index,
      score: shared(sentence, wanted),
    }))
    .filter(
      ({ sentence, score }) =>
        score > 0 && shared(sentence, unwanted) === 0 && !ORDER.test(sentence),
    )
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MOST_NOTES)
    .sort((a, b) => a.index - b.index);
  return {
    notes: scored.map(({ sentence }) => ({
      claim: cleaned(sentence),
      quote: sentence,
    })),
  };
}
