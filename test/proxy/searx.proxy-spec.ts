import { cleanHits } from '../../src/sources/search/hits';
import { loadConfig } from '../../src/config/load-config';
import { SearchHttp } from '../../src/sources/search/providers/search-http';
import { SearxngSearch } from '../../src/sources/search/providers/searxng-search';
import { Kiwix, missingPrograms, Searx } from './searx';

const missing = missingPrograms();
const need =
  missing.length > 0
    ? ` (not run: ${missing.join(', ')} missing; Debian has them in searx, kiwix-tools and zim-tools)`
    : '';

// Its programs come from Debian's packages, which not every machine can install; the contract tests need none of them.
(need ? describe.skip : describe)(
  `a real searx over kiwix-serve${need}`,
  () => {
    let kiwix: Kiwix;
    let searx: Searx;
    const http = new SearchHttp(loadConfig({}));
    const never = new AbortController().signal;

    beforeAll(async () => {
      kiwix = await Kiwix.start({
        Comets: 'A comet grows a tail of gas and dust near the sun.',
        차: '녹차는 발효하지 않은 차이다. Green tea &amp; water.',
      });
      searx = await Searx.start(kiwix.url);
    });

    afterAll(async () => {
      await searx.stop();
      await kiwix.stop();
      await http.onApplicationShutdown();
    });

    const search = async (text: string, url = searx.url) => {
      const query = { text, scope: 'public' as const, limit: 5 };
      const { hits } = await new SearxngSearch(http, url).search(query, never);
      return cleanHits(hits, 'web', 5);
    };

    it('finds a page, whose address can be fetched', async () => {
      const [hit, ...more] = await search('comet');
      expect(more).toEqual([]);
      expect(hit).toMatchObject({
        title: 'Comets',
        snippet: expect.stringMatching(/^A comet grows a tail/) as string,
        provider: 'web',
      });
      const page = await fetch(hit.url);
      expect(await page.text()).toContain('gas and dust');
    });

    it('reads the title and the text of a Korean page', async () => {
      expect(await search('water')).toMatchObject([
        {
          title: '차',
          snippet: expect.stringContaining('tea & water') as string,
        },
      ]);
    });

    it('finds nothing where there is nothing', async () => {
      expect(await search('volcano')).toEqual([]);
    });

    it('takes the silence of its only engine for a failure', async () => {
      const alone = await Searx.start('http://127.0.0.1:9');
      await expect(search('comet', alone.url)).rejects.toMatchObject({
        fault: 'blocked',
      });
      await alone.stop();
    });
  },
);
