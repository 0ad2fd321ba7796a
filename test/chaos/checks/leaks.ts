import { UPSTREAM_KEY } from '../fleet/fleet';
import type { History } from './history';
import { markOf } from '../schedule';

/** A piece of a report long enough to appear in no log line or job by chance. */
const PIECE = 60;
/** Every possible token: thousands of them are looked up, not searched for one by one. */
const TOKEN = /ivt_[0-9a-zA-Z_-]+/g;

/** Secrets in places that must not contain any. */
export function findLeaks(history: History): string[] {
  const { schedule, observedRuns: stories, output, jobs, redis } = history;
  const tokens = new Set(stories.flatMap((observedRun) => observedRun.tokens));
  const keys = {
    'an API key': history.callers.map(({ secret }) => secret),
    'the upstream key': [UPSTREAM_KEY],
  };
  const contents = {
    'a question': [markOf(schedule.seed)],
    'a report': [
      ...new Set(
        stories.flatMap(({ record }) => pieceOf(record?.output_text ?? '')),
      ),
    ],
  };
  return [
    ...find({ ...keys, ...contents }, tokens, output, 'the output'),
    ...find({ ...keys, ...contents }, tokens, jobs, 'the jobs'),
    // Records contain questions and reports, but only hashes of their tokens.
    ...find(keys, tokens, redis, 'Redis'),
  ];
}

function find(
  secrets: Record<string, string[]>,
  tokens: Set<string>,
  text: string,
  where: string,
): string[] {
  const found = Object.entries(secrets)
    .filter(([, values]) => values.some((value) => text.includes(value)))
    .map(([name]) => `${name} is in ${where}`);
  const opens = text.match(TOKEN)?.some((token) => tokens.has(token));
  return opens ? [...found, `a token is in ${where}`] : found;
}

/** A piece that is the same inside JSON. */
function pieceOf(text: string): string[] {
  const [piece] = /[^\n\r"\\]{60,}/.exec(text) ?? [];
  return piece === undefined ? [] : [piece.slice(0, PIECE)];
}
