import { cleaned } from '../extract';
import { faultyIn, notesIn } from '../role-inputs';
import type { Rewritten, RoleRequest } from '../role.types';

/** Each faulty sentence in the words of the first note that it names; without one it is left as it is. */
export function rewrite({ data }: RoleRequest): Rewritten {
  const quotes = new Map(notesIn(data).map(({ id, quote }) => [id, quote]));
  const sentences = faultyIn(data).flatMap(({ id, noteIds }) => {
    const quote = quotes.get(noteIds[0]);
    return quote === undefined
      ? []
      : { id, text: cleaned(quote), note_ids: [noteIds[0]] };
  });
  return { sentences };
}
