import { type Sandbox, startSandbox } from '../../../../sandbox/server';
import { PageRoom } from '../../../../test/support/pages/page-room';
import { TestRedis } from '../../../../test/support/redis/redis';
import { countTokens } from '../../../llm/tokens/count-tokens';
import { lineBefore, linesOf, type PageText } from './lines';
import { wantedParts } from './wanted-parts';

describe('the parts of a long page', () => {
  let redis: TestRedis;
  let sandbox: Sandbox;
  let room: PageRoom;

  beforeAll(async () => {
    redis = await TestRedis.start();
    sandbox = await startSandbox({ port: 0 });
    room = await new PageRoom(redis, [sandbox.url]).ready();
  });
  afterAll(async () => {
    await room.close();
    await sandbox.close();
    await redis.stop();
  });

  const count = (text: string): number =>
    countTokens(text, { cjk: 1, other: 1 });

  async function read(name: string): Promise<PageText> {
    const url = `${sandbox.url}/pages/hostile/${name}/en/kimchi`;
    const { signal } = new AbortController();
    const { text, headings = [] } = await room.reader.read(url, signal);
    return { text, headings };
  }

  async function texts(page: PageText, query: string): Promise<string[]> {
    const want = { tokens: 1_500, parts: 2, queries: [query], read: [] };
    const { parts, more } = await wantedParts(page, want, count);
    expect(more).toBe(true);
    for (const { start, end } of parts)
      expect(count(page.text.slice(start, end))).toBeLessThanOrEqual(1_500);
    return parts.map(({ start, end }) => page.text.slice(start, end));
  }

  it('of a hundred pages are those that answer', async () => {
    const page = await read('long-pdf');
    expect(page.text.length).toBeGreaterThan(100_000);
    const found = await texts(page, 'gimjang intangible heritage UNESCO');
    expect(found.join('\n')).toMatch(
      /Gimjang, the late autumn days[^]*entered the\s+UNESCO list/,
    );
  });

  it('with a table of 2,000 rows are those of the rows, each a line that knows its columns', async () => {
    const page = await read('table');
    const found = await texts(page, 'weight of jar 1234');
    expect(found.join('\n')).toContain('Jar 1234\t3702 kg\tcellar 2');
    const rows = [...linesOf(page)].filter(({ start, end }) =>
      /^Jar \d+\t\d+ kg\tcellar \d$/.test(page.text.slice(start, end)),
    );
    expect(rows).toHaveLength(2_000);
    for (const at of [0, 1_000, 1_999])
      expect(lineBefore(page, rows[at].start)).toBe('Jar\tWeight\tPlace');
  });
});
