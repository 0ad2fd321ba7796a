import type { Source } from './search';
import { tokensOf } from './tokens';

/** A file that only a file search or an MCP server can find. The contents are fictional. */
export interface PrivateFile {
  id: string;
  filename: string;
  title: string;
  /** The URL with which the MCP server cites it. */
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

/** The files that match `question`: one of their keywords must occur. */
export function searchPrivate(question: string): PrivateFile[] {
  const questionTokens = tokensOf(question);
  return privateFiles.filter(({ title, keywords }) => {
    const head = new Set(tokensOf(`${title} ${keywords}`));
    return questionTokens.some((token) => head.has(token));
  });
}

/** A file found by file search has no URL; an MCP server provides one. */
export const asSource = (found: PrivateFile, linked: boolean): Source => ({
  title: linked ? found.title : found.filename,
  url: linked ? found.url : null,
  paragraphs: found.paragraphs,
});
