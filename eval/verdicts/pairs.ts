import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Asked } from '../../src/research/agent/text/judged';

const LANGUAGES = ['en', 'ko'] as const;
const HONEST = ['supported', 'arithmetic', 'inference'] as const;
const FALSE = ['contradicted', 'not_stated'] as const;

const pair = z.strictObject({
  id: z.string(),
  lang: z.enum(LANGUAGES),
  quote_lang: z.enum(LANGUAGES),
  heading: z.string(),
  before: z.string(),
  quotes: z.array(z.string()).min(1),
  sentence: z.string(),
  label: z.enum([...HONEST, ...FALSE]),
  kind: z.string(),
  why: z.string(),
});
/** A labelled sentence. Every passage stands twice, with an honest and with a false one. */
export type Labelled = z.infer<typeof pair>;

const FILES = ['pairs.jsonl', 'pairs-tables.jsonl'];

export function readPairs(files: readonly string[] = FILES): Labelled[] {
  return files.flatMap((name) =>
    readFileSync(join('eval', 'verdicts', name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => pair.parse(JSON.parse(line))),
  );
}

export const isHonest = ({ label }: Labelled): boolean =>
  HONEST.some((one) => one === label);

export const directionOf = ({ lang, quote_lang }: Labelled): string =>
  lang === quote_lang ? lang : 'across';

/** Two halves, in neither of which a passage stands twice; in an order that says nothing. */
export function halves(all: readonly Labelled[]): [Labelled[], Labelled[]] {
  const sides: [Labelled[], Labelled[]] = [[], []];
  for (const same of byPassage(all).values()) {
    const first = digest(same[0].heading + same[0].sentence)[0] < '8' ? 0 : 1;
    same.forEach((one, at) => sides[(first + at) % 2].push(one));
  }
  for (const side of sides)
    side.sort((a, b) => (digest(a.id) < digest(b.id) ? -1 : 1));
  return sides;
}

function byPassage(all: readonly Labelled[]): Map<string, Labelled[]> {
  const groups = new Map<string, Labelled[]>();
  for (const one of all) {
    const key = passageOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

const passageOf = ({ heading, quotes }: Labelled): string =>
  JSON.stringify([heading, quotes]);

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

/** As the agent asks about it. Which of two sentences is a conclusion must not tell which is honest. */
export function askedOf(
  { heading, before, quotes, sentence }: Labelled,
  id: string,
  kind: Asked['kind'],
): Asked {
  return {
    id,
    text: sentence,
    kind,
    passages: [{ under: heading, before, quotes }],
  };
}

/** The passages of which a conclusion is drawn. */
export function judgementsIn(
  all: readonly Labelled[],
): (one: Labelled) => Asked['kind'] {
  const concluded = new Set(
    all.filter(({ label }) => label === 'inference').map(passageOf),
  );
  return (one) => (concluded.has(passageOf(one)) ? 'judgement' : 'fact');
}
