import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, honestRoles } from '../../test/support/agent/scripted-roles';
import { loadConfig } from '../../src/config/load-config';
import type {
  Candidate,
  CompletionPort,
} from '../../src/research/agent/agent-ports';
import {
  inTurn,
  named,
} from '../../src/research/agent/candidates/candidate-lines';
import { deal } from '../../src/research/agent/candidates/dealing';
import type { Choice } from '../../src/research/agent/prompts/choose.prompt';
import { type EndedRun, evaluate } from './evaluate';
import { ModelReplay } from './model.trace';
import { partsIn } from './parts';
import { readOpenQuestions } from './questions';
import type { Counts } from './score';
import { pathOf, Site } from './site';

const TRACE = join('eval', 'traces', 'strong-blind.debian-distributions.json');
const MODEL = 'strong-blind';

interface Found {
  hits?: Candidate[];
}
/** The trace ends with the notes: these roles say what the notes say, and judge it so. */
const WRITING = [
  'research_outline',
  'research_section',
  'research_verify',
  'research_rewrite',
];

function withWriter(replay: CompletionPort): CompletionPort {
  return {
    complete: (request) => {
      const { name } = request.schema!;
      if (!WRITING.includes(name)) return replay.complete(request);
      const user = request.messages.at(-1)!.content;
      const text = JSON.stringify(honestRoles[name](blocksOf(user)));
      return Promise.resolve({ text, finish: 'stop', usage: null });
    },
  };
}

const PACKAGES = 'developers-reference/pkgs.html';

describe('a strong model that sees nothing but the prompts, on an open question', () => {
  let run: EndedRun;
  let counts: Counts;
  let texts: ReadonlyMap<string, string>;

  const valuesOf = <T>(prefix: string): [key: string, value: T][] =>
    [...run.journal.entries]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, { value = '{}' }]) => [key, JSON.parse(value) as T]);

  beforeAll(async () => {
    const site = await Site.start();
    const [question] = readOpenQuestions();
    const plan = {
      models: [MODEL],
      questions: [question],
      depth: 'standard' as const,
      maxCalls: Infinity,
      onEnd: (ended: EndedRun) => {
        run = ended;
      },
    };
    const replay = withWriter(new ModelReplay(readFileSync(TRACE, 'utf8')));
    const config = loadConfig({ LITELLM_BASE_URL: 'http://none.invalid' });
    try {
      const { rows } = await evaluate(plan, replay, config, site);
      counts = rows[0].counts;
      texts = site.texts;
    } finally {
      await site.close();
    }
  });

  it('ends completed, with a report', () => {
    expect(run.report.status).toBe('completed');
    expect(run.journal.text.length).toBeGreaterThan(1_000);
  });

  it.each([
    ['security advisories', 'advisories are only issued for the current'],
    ['backports', 'upload a backport of that package to stable-backports'],
  ])('reads the part of the long page that is about %s', (_, words) => {
    const read = partsIn(run.journal)
      .filter(({ url }) => pathOf(url) === PACKAGES)
      .map(({ start, end }) => texts.get(PACKAGES)!.slice(start, end));
    expect(read.join('\n').replace(/\s+/g, ' ')).toContain(words);
  });

  it('gets a note from at least four of five parts that it reads', () => {
    expect(counts.parts).toBeGreaterThan(10);
    expect(counts.partsNoted / counts.parts).toBeGreaterThanOrEqual(0.8);
  });

  it('reads each page for the direction where it ranks best, or for which it was chosen', () => {
    const found = run.report.evidence.plan!.directions.map(
      () => [] as Candidate[],
    );
    for (const [key, { hits = [] }] of valuesOf<Found>('search:public0'))
      found[Number(key.split(':')[2])].push(...hits);
    const shown = inTurn(deal(found, new Map()).fresh);
    const [[, { kept }]] = valuesOf<{ kept: Choice }>('choose:public0');
    const isChosen = (path: string, wanted: number): boolean =>
      kept.lists.some(
        ({ direction, candidates }) =>
          direction === wanted &&
          named(shown, candidates).some(
            ({ candidate }) => pathOf(candidate.url) === path,
          ),
      );
    const best = (path: string, direction: number): number =>
      Math.min(
        ...found[direction]
          .filter(({ url }) => pathOf(url) === path)
          .map(({ rank }) => rank!),
      );
    const read = valuesOf<{ head?: { url: string } }>('page:public0').flatMap(
      ([key, { head }]) => {
        const direction = /^page:public0r?\.(\d+):/.exec(key)?.[1];
        return head && direction
          ? [{ path: pathOf(head.url), direction: Number(direction) }]
          : [];
      },
    );
    expect(read.length).toBeGreaterThan(3);
    expect(new Set(read.map(({ path }) => path)).size).toBe(read.length);
    const taken = read.filter(
      ({ path, direction }) =>
        !isChosen(path, direction) &&
        found.some((_, other) => best(path, other) < best(path, direction)),
    );
    expect(taken).toEqual([]);
  });

  it('quotes its pages exactly', () => {
    const { notes, sources } = run.report.evidence;
    expect(notes.length).toBeGreaterThan(20);
    for (const { quote, source, start, end } of notes) {
      const text = texts.get(pathOf(sources[source - 1].url))!;
      expect(text.slice(start, end)).toBe(quote);
    }
  });
});
