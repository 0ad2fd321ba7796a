import { cleaned, groupBy } from '../extract';
import { isObject } from '../../wire/json';
import { formIn, notesIn } from '../role-inputs';
import type { RoleRequest, Section, Sentence } from '../role.types';

const PARAGRAPH = 5;

/** Of an answer that is written from the rest of the report. */
const IN_ANSWER = 3;

/** A sentence per note, in the words of its quote; notes of the same words share one. */
export function section({ data }: RoleRequest): Section {
  const byText = groupBy(notesIn(data), ({ quote }) => cleaned(quote));
  const sentences = [...byText].map(([text, notes]) => ({
    text,
    note_ids: notes.map(({ id }) => id),
  }));
  const isAnswer = formIn(data).index === 0 && data.optional('written') !== '';
  return { sentences: isAnswer ? sentences.slice(0, IN_ANSWER) : sentences };
}

/** The section as its schema has it: in blocks of its form, or as it is. */
export function inBlocks(section: Section, request: RoleRequest): unknown {
  const { schema, data } = request;
  const { properties } = isObject(schema) ? schema : {};
  if (!isObject(properties) || !('blocks' in properties)) return section;
  const sentences = section.sentences.map((one) => ({ ...one, kind: 'fact' }));
  return { blocks: blocksOf(formIn(data), sentences, titlesIn(request)) };
}

function blocksOf(
  { form, columns }: ReturnType<typeof formIn>,
  sentences: Sentence[],
  titles: ReadonlyMap<string, string>,
): object[] {
  const empty = { title: '', sentences: [], columns: [], rows: [] };
  if (form === 'table') {
    const rows = sentences.map((cell) => ({
      title: titles.get(cell.note_ids[0]) ?? '',
      cells: [cell],
    }));
    return [{ ...empty, type: 'table', columns, rows }];
  }
  if (form === 'list') return [{ ...empty, type: 'list', sentences }];
  if (form === 'steps' || form === 'timeline')
    return [{ ...empty, type: 'steps', sentences }];
  const starts = [...sentences.keys()].filter((at) => at % PARAGRAPH === 0);
  return starts.map((at) => ({
    ...empty,
    type: 'paragraph',
    sentences: sentences.slice(at, at + PARAGRAPH),
  }));
}

const titlesIn = ({ data }: RoleRequest): ReadonlyMap<string, string> =>
  new Map(notesIn(data).map(({ id, title }) => [id, title]));
