import type { Source } from './search';
import { tokensOf } from './tokens';

/** One of the files that only a file search or an MCP server can find. What they say is made up. */
export interface PrivateFile {
  id: string;
  filename: string;
  title: string;
  /** As the MCP server cites it. */
  url: string;
  keywords: string;
  paragraphs: string[];
}

const file = (
  name: string,
  title: string,
  keywords: string,
  ...paragraphs: string[]
): PrivateFile => ({
  id: `file_${name}`,
  filename: `${name}.md`,
  title,
  url: `https://sandbox.example/private/${name}`,
  keywords,
  paragraphs,
});

export const privateFiles: PrivateFile[] = [
  file(
    'menu-notes',
    'Menu notes of the canteen',
    'jajangmyeon noodles kimchi canteen 짜장면 김치 구내식당',
    'The canteen serves jajangmyeon every second Wednesday, and sells 240 bowls on such a day.',
    'Kimchi is made in the canteen in November and lasts until March.',
  ),
  file(
    'queue-review',
    'Review of the queue incident',
    'redis queue incident webhook 큐 장애',
    'The queue stood still for eleven minutes in May because a replica had taken over without its last writes.',
    'Since then the append-only file is synchronised every second, and the alarm rings after one minute.',
  ),
  file(
    'leave-policy',
    'Leave policy',
    'holiday vacation leave employees 휴가 직원',
    'Every employee has 25 days of leave in a year, of which five can be taken along into the next.',
  ),
];

export const privateFile = (filename: string) =>
  privateFiles.find((known) => known.filename === filename);

/** The files on what `question` is about: one of their keywords must be named. */
export function searchPrivate(question: string): PrivateFile[] {
  const asked = tokensOf(question);
  return privateFiles.filter(({ title, keywords }) => {
    const head = new Set(tokensOf(`${title} ${keywords}`));
    return asked.some((token) => head.has(token));
  });
}

/** A file found by file search has no page to link to; an MCP server gives one. */
export const asSource = (found: PrivateFile, linked: boolean): Source => ({
  title: linked ? found.title : found.filename,
  url: linked ? found.url : null,
  paragraphs: found.paragraphs,
});
