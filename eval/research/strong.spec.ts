import type { Candidate } from '../../src/research/agent/agent-ports';
import {
  inTurn,
  named,
} from '../../src/research/agent/candidates/candidate-lines';
import { deal } from '../../src/research/agent/candidates/dealing';
import type { Choice } from '../../src/research/agent/prompts/choose.prompt';
import { partsIn } from './parts';
import { type Replayed, replayed } from './replayed';
import { pathOf } from './site';

interface Found {
  hits?: Candidate[];
}
/** The whole run computes for ten seconds, on a busy machine for some times as long. */
const REPLAY_MS = 300_000;
const PACKAGES = 'developers-reference/pkgs.html';

describe('a strong model that sees nothing but the prompts, on an open question', () => {
  let run: Replayed['run'];
  let counts: Replayed['counts'];
  let texts: Replayed['texts'];

  const valuesOf = <T>(prefix: string): [key: string, value: T][] =>
    [...run.journal.entries]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, { value = '{}' }]) => [key, JSON.parse(value) as T]);

  beforeAll(async () => {
    ({ run, counts, texts } = await replayed('debian-distributions'));
  }, REPLAY_MS);

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

  it('compares in a table of which every cell has notes, or says that nothing was found', () => {
    const { sections } = run.report.evidence;
    const cells = sections.flatMap(({ sentences, layout = [] }) =>
      layout.flatMap((block) =>
        block.type === 'table'
          ? block.rows.flat().map((at) => sentences[at])
          : [],
      ),
    );
    expect(cells).toHaveLength(12);
    for (const { kind, noteIds } of cells)
      expect(kind === 'absent' || noteIds.length > 0).toBe(true);
  });

  it('recommends for each of the two uses, as a judgement that follows from notes', () => {
    const [answer, , servers, laptops] = run.report.evidence.sections;
    for (const { sentences } of [answer, servers, laptops])
      expect(sentences).toContainEqual(
        expect.objectContaining({
          text: expect.stringMatching(/recommend stable/),
          kind: 'judgement',
          verdict: 'judgement',
          checkedBy: 'model',
          noteIds: expect.arrayContaining([expect.any(String)]),
        }),
      );
  });

  it('says nothing twice, and spends at most a fifth of its characters on sources', () => {
    expect(counts.said).toBeGreaterThan(40);
    expect(counts.saidAgain).toBe(0);
    expect(counts.linked / counts.characters).toBeLessThan(0.2);
  });

  it('leaves no sentence unchecked or at fault', () => {
    const verdicts = run.report.evidence.sections.flatMap(({ sentences }) =>
      sentences.flatMap(({ verdict }) => verdict ?? []),
    );
    const times = (wanted: string): number =>
      verdicts.filter((one) => one === wanted).length;
    // Its judge is not its writer.
    expect(times('supported') + times('judgement')).toBe(verdicts.length);
  });
});
