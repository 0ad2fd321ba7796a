import { examine } from './doctor-report';
import { AppError } from '../platform/errors';
import type { Finding } from '../platform/redis/checkup.types';

describe(examine.name, () => {
  let lines: string[];
  beforeEach(() => void (lines = []));

  const run = (fix: boolean, ...looks: Finding[][]) => {
    let count = 0;
    const look = async function* () {
      yield* looks[Math.min(count++, looks.length - 1)];
    };
    const print = (line: string) => void lines.push(line);
    return examine([{ title: 'Things', look }], { fix, print });
  };
  const repair = async () => undefined;
  const broken = (id: string): Finding => ({
    problem: 'Broken',
    id,
    fix: repair,
  });

  it('reports that nothing is wrong', async () => {
    expect(await run(false, [])).toBe(true);
    expect(lines).toEqual(['Things: ok', '0 findings, 0 fixed']);
  });

  it('reports only findings of both looks', async () => {
    const looks = [
      [broken('a'), broken('b')],
      [broken('b'), broken('c')],
    ];
    expect(await run(false, ...looks)).toBe(false);
    expect(lines).toEqual(['Things', '  Broken (1): b', '1 finding, 0 fixed']);
  });

  it('shows the first five of each kind, and counts each one once', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a'];
    await run(false, ids.map(broken).concat({ problem: 'Cold' }));
    expect(lines).toEqual([
      'Things',
      '  Broken (7): a, b, c, d, e, …',
      '  Cold',
      '8 findings, 0 fixed',
    ]);
  });

  it('fixes what can be fixed, and reports the rest', async () => {
    const fails = async () => {
      throw new AppError('unknown_tool');
    };
    const worse = { problem: 'Worse', fix: fails };
    const findings = [broken('a'), worse, { problem: 'Cold' }];
    expect(await run(true, findings)).toBe(false);
    expect(lines).toEqual([
      'Things',
      '  Broken (1): a - fixed',
      '  Worse - 0 of 1 fixed, try again',
      '  Cold - cannot be fixed here',
      '3 findings, 1 fixed',
    ]);
  });

  it('succeeds when everything was fixed', async () => {
    expect(await run(true, [broken('a')])).toBe(true);
    expect(lines.at(-1)).toBe('1 finding, 1 fixed');
  });

  it('rethrows a bug of a checkup', async () => {
    const failToFix = async () => {
      throw new TypeError('a bug');
    };
    await expect(
      run(true, [{ problem: 'Broken', fix: failToFix }]),
    ).rejects.toThrow('a bug');
  });
});
