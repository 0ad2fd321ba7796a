import { cleaned, groupBy } from '../extract';
import { faultsIn, notesIn } from '../role-inputs';
import type { RoleRequest, Section } from '../role.types';

/** A sentence per note, in the words of its quote; notes of the same words share one. What was found at fault is left out, unless nothing else is there. */
export function section({ data }: RoleRequest): Section {
  const faulty = new Set(faultsIn(data));
  const byText = groupBy(notesIn(data), ({ quote }) => cleaned(quote));
  const all = [...byText].map(([text, notes]) => ({
    text,
    note_ids: notes.map(({ id }) => id),
  }));
  const rest = all.filter(({ text }) => !faulty.has(text));
  return { sentences: rest.length > 0 ? rest : all };
}
