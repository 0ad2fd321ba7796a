import { type Replayed, replayed } from './replayed';
import { pathOf } from './site';

/** The run computes for ten seconds, on a busy machine for some times as long. */
const REPLAY_MS = 300_000;

describe('a strong model that sees nothing but the prompts, on a Korean question that English manuals answer', () => {
  let run: Replayed['run'];
  let counts: Replayed['counts'];

  beforeAll(async () => {
    ({ run, counts } = await replayed('package-a-daemon'));
  }, REPLAY_MS);

  it('ends completed, with a report in Korean', () => {
    expect(run.report.status).toBe('completed');
    expect(run.journal.text).toMatch(/^서버 40대/);
  });

  it('reads the chapters of the policy that say it', () => {
    const paths = run.report.evidence.sources.map(({ url }) => pathOf(url));
    expect(paths).toEqual(
      expect.arrayContaining([
        'debian-policy/ch-files.html',
        'debian-policy/ch-opersys.html',
        'debian-policy/ap-pkg-conffiles.html',
      ]),
    );
    expect(counts.partsNoted / counts.parts).toBeGreaterThanOrEqual(0.8);
  });

  it('gives the steps in turn, and the comparison as a table of bound cells', () => {
    const { sections } = run.report.evidence;
    const blocks = sections.flatMap(({ layout = [] }) => layout);
    expect(blocks).toContainEqual(
      expect.objectContaining({ type: 'list', ordered: true }),
    );
    const cells = sections.flatMap(({ sentences, layout = [] }) =>
      layout.flatMap((block) =>
        block.type === 'table'
          ? block.rows.flat().map((at) => sentences[at])
          : [],
      ),
    );
    expect(cells.length).toBeGreaterThan(8);
    for (const { kind, noteIds } of cells)
      expect(kind === 'absent' || noteIds.length > 0).toBe(true);
  });

  it('recommends one way, with the number of servers that the question names', () => {
    const [answer] = run.report.evidence.sections;
    expect(answer.sentences[0]).toMatchObject({
      text: expect.stringMatching(/서버 40대.*conffile로 두기를 추천한다/),
      kind: 'judgement',
      verdict: 'judgement',
      checkedBy: 'model',
    });
  });

  it('says nothing twice, and leaves no sentence unchecked or at fault', () => {
    expect(counts.saidAgain).toBe(0);
    // A status that is not 0 is "non-zero" in its quote.
    expect(counts.alteredNumbers).toBe(1);
    const verdicts = run.report.evidence.sections.flatMap(({ sentences }) =>
      sentences.flatMap(({ verdict }) => verdict ?? []),
    );
    expect(new Set(verdicts)).toEqual(
      new Set(['supported', 'judgement', 'partly_supported']),
    );
  });
});
