import { join } from 'node:path';
import type * as pools from '../../../src/sources/pages/extraction/extraction-pool';
import type { Extraction } from '../../../src/sources/pages/extraction/extraction.types';
import { PageLimits } from '../../../src/sources/pages/page-limits';
import { docx, pdf, pdfBomb } from '../../support/pages/files';

const MB = 1024 * 1024;
const HTML = '<title>Rivers</title><p>The Danube is 2,850 km long.</p>';

/** The threads of the build: their entry exists there alone. */
const { ExtractionPool } = jest.requireActual<typeof pools>(
  join(
    __dirname,
    '../../../dist/src/sources/pages/extraction/extraction-pool.js',
  ),
);

const { signal } = new AbortController();
const opened: pools.ExtractionPool[] = [];

function poolOf(limits: Partial<PageLimits> = {}): pools.ExtractionPool {
  const generous = { extractMs: 60_000 };
  const pool = new ExtractionPool(
    Object.assign(new PageLimits(), generous, limits),
  );
  opened.push(pool);
  return pool;
}

function extract(
  pool: pools.ExtractionPool,
  body: string | Buffer,
  by = signal,
): Promise<Extraction> {
  return pool.extract(
    {
      url: 'https://example.com/',
      bytes: new Uint8Array(Buffer.from(body)),
      contentType: 'text/html',
      contentLanguage: 'en',
    },
    by,
  );
}

const RIVERS = {
  title: 'Rivers',
  text: 'The Danube is 2,850 km long.',
  language: 'en',
  mime: 'text/html',
};

describe('the threads that read pages', () => {
  let pool: pools.ExtractionPool;

  beforeAll(() => void (pool = poolOf({ extractBufferBytes: 64 * MB })));
  afterAll(() => Promise.all(opened.map((one) => one.onApplicationShutdown())));

  it('give the text of HTML and of PDF, and say what robots.txt allows', async () => {
    expect(await extract(pool, HTML)).toMatchObject(RIVERS);
    expect(await extract(pool, pdf(2))).toMatchObject({
      text: 'Page 1 of the report\n\nPage 2 of the report',
    });
    const text = 'User-agent: sonde\nDisallow: /private';
    const ask = (path: string): Promise<boolean> =>
      pool.isAllowed({ text, url: `https://example.com${path}` }, signal);
    expect([await ask('/private'), await ask('/')]).toEqual([false, true]);
  });

  it('leave the process free while a page takes long', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await extract(pool, '<div>'.repeat(100_000) + HTML);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it.each([
    ['buffers', pdfBomb(200 * MB)],
    ['objects', docx('<w:p/>'.repeat(3_000_000))],
  ])(
    'end a page whose %s take too much memory, and spare the others',
    async (_, bomb) => {
      const [bombed, other] = await Promise.all([
        extract(pool, bomb),
        extract(pool, HTML),
      ]);
      expect(bombed).toEqual({ fault: 'too_large' });
      expect(other).toMatchObject(RIVERS);
      expect(await extract(pool, HTML)).toMatchObject(RIVERS);
    },
  );

  it('end a page that takes too long', async () => {
    const hasty = poolOf({ extractMs: 1 });
    expect(await extract(hasty, pdf(500))).toEqual({
      fault: 'unreadable',
    });
  });

  it('end a page with the reason of the signal, and read the next one', async () => {
    const abort = new AbortController();
    const reason = new Error('lost');
    const read = extract(pool, pdf(500), abort.signal);
    abort.abort(reason);
    await expect(read).rejects.toBe(reason);
    expect(await extract(pool, HTML)).toMatchObject(RIVERS);
  });
});
