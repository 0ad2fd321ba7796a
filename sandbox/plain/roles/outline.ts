import { languageOf } from '../../corpus/language';
import { sandboxMark } from '../../writer/text/report';
import { groupBy, shared, termsOf } from '../extract';
import type { GivenNote } from '../role-inputs';
import { briefIn, formatIn, notesIn } from '../role-inputs';
import type { Form, Outline, RoleRequest } from '../role.types';

const IN_ANSWER = 3;
const answerTitle = { ko: '답', en: 'Answer' };
const columns = { ko: ['자료', '내용'], en: ['Source', 'Statement'] };
/** What is ordered, and the form that it takes. */
const FORMS: [RegExp, Form][] = [
  [/table|표로|비교표/i, 'table'],
  [/timeline|연표/i, 'timeline'],
  [/step|단계/i, 'steps'],
];

/** The best note of each source is the answer; the others follow by source. Every note stands in exactly one section. */
export function outline({ data }: RoleRequest): Outline {
  const { goal, language, max_sections, missing, order } = briefIn(data);
  const notes = notesIn(data);
  const bySource = groupBy(notes, ({ source, title }) => source || title);
  const terms = termsOf(goal);
  const score = ({ quote }: GivenNote) => shared(quote, terms);
  const answer = [...bySource.values()]
    .map((ofSource) => ofSource.reduce((a, b) => (score(b) > score(a) ? b : a)))
    .slice(0, IN_ANSWER);
  const form = formOf(order.join(' '), formatIn(data));
  const sections = [...bySource.values()]
    .map((ofSource) => ofSource.filter((note) => !answer.includes(note)))
    .filter((rest) => rest.length > 0)
    .map((rest) => ({ title: rest[0].title, form, note_ids: idsOf(rest) }));
  const own = sections.slice(0, max_sections - 1);
  const others = sections.slice(max_sections - 1);
  const words = language === 'ko' ? 'ko' : languageOf(goal);
  const first = [
    {
      title: answerTitle[words],
      form: 'prose' as const,
      note_ids: idsOf(answer),
    },
    ...own,
  ];
  // What has no section of its own goes into the last one.
  first.at(-1)?.note_ids.push(...others.flatMap(({ note_ids }) => note_ids));
  return {
    title: `${sandboxMark(words)}${goal}`,
    sections: first.map((section) => ({
      ...section,
      about: [],
      columns: section.form === 'table' ? columns[words] : [],
      rows: [],
    })),
    missing: missing.filter((one) =>
      notes.every(({ quote }) => shared(quote, termsOf(one)) === 0),
    ),
  };
}

function formOf(order: string, format: string): Form {
  const [, ordered] = FORMS.find(([sign]) => sign.test(order)) ?? [];
  return ordered ?? (format === 'markdown_brief' ? 'list' : 'prose');
}

const idsOf = (notes: GivenNote[]) => notes.map(({ id }) => id);
