import type { History } from './drive';
import { API_KEY, UPSTREAM_KEY } from './fleet';

/** As long a piece of a report as no log line or job has by chance. */
const PIECE = 60;

/** Secrets in places where nothing of the kind belongs. */
export function findLeaks(history: History): string[] {
  const { stories, output, jobs, redis } = history;
  const keys = { 'the API key': [API_KEY], 'the upstream key': [UPSTREAM_KEY] };
  const tokens = { 'a token': stories.flatMap((story) => story.tokens) };
  const contents = {
    'a question': stories.map(({ marker }) => marker),
    'a report': stories.flatMap(({ record }) =>
      pieceOf(record?.output_text ?? ''),
    ),
  };
  return [
    ...find({ ...keys, ...tokens, ...contents }, output, 'the output'),
    ...find({ ...keys, ...tokens, ...contents }, jobs, 'the jobs'),
    // Records hold questions and reports, but only hashes of what opens them.
    ...find({ ...keys, ...tokens }, redis, 'Redis'),
  ];
}

function find(
  secrets: Record<string, string[]>,
  text: string,
  where: string,
): string[] {
  return Object.entries(secrets)
    .filter(([, values]) => values.some((value) => text.includes(value)))
    .map(([name]) => `${name} is in ${where}`);
}

/** A piece that looks the same inside JSON. */
function pieceOf(text: string): string[] {
  const [piece] = /[^\n\r"\\]{60,}/.exec(text) ?? [];
  return piece === undefined ? [] : [piece.slice(0, PIECE)];
}
