import { examine } from './doctor.report';
import { AppError } from '../errors';
import type { Finding } from '../redis/checkup';

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
  const mend = async () => undefined;
  const broken = (id: string): Finding => ({ problem: 'Broken', id, mend });

  it('says that all is well', async () => {
    expect(await run(false, [])).toBe(true);
    expect(lines).toEqual(['Things: ok', '0 findings, 0 mended']);
  });

  it('does not count what is over at the second look, or only begins with it', async () => {
    const looks = [
      [broken('a'), broken('b')],
      [broken('b'), broken('c')],
    ];
    expect(await run(false, ...looks)).toBe(false);
    expect(lines).toEqual([
      'Things',
      '  Broken (1): b',
      '1 findings, 0 mended',
    ]);
  });

  it('shows the first five of each kind, and counts each one once', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a'];
    await run(false, ids.map(broken).concat({ problem: 'Cold' }));
    expect(lines).toEqual([
      'Things',
      '  Broken (7): a, b, c, d, e, …',
      '  Cold',
      '8 findings, 0 mended',
    ]);
  });

  it('mends what it can, and says what it cannot', async () => {
    const fails = async () => {
      throw new AppError('unknown_tool');
    };
    const worse = { problem: 'Worse', mend: fails };
    const findings = [broken('a'), worse, { problem: 'Cold' }];
    expect(await run(true, findings)).toBe(false);
    expect(lines).toEqual([
      'Things',
      '  Broken (1): a - mended',
      '  Worse - 0 of 1 mended, try again',
      '  Cold - cannot be mended here',
      '3 findings, 1 mended',
    ]);
  });

  it('is content when everything could be mended', async () => {
    expect(await run(true, [broken('a')])).toBe(true);
    expect(lines.at(-1)).toBe('1 findings, 1 mended');
  });

  it('does not hide a fault of its own', async () => {
    const mendBadly = async () => {
      throw new TypeError('a bug');
    };
    await expect(
      run(true, [{ problem: 'Broken', mend: mendBadly }]),
    ).rejects.toThrow('a bug');
  });
});
