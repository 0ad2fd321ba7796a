import type { Language } from '../corpus/language';
import { languageOf } from '../corpus/language';
import type { Source } from '../corpus/search';
import { bestParagraphs, searchCorpus } from '../corpus/search';
import type { Fault } from '../control/fault';
import type { Exchange } from '../wire/http';
import { sendJson } from '../wire/http';
import { pageAt } from './corpus-pages';
import { sendPage } from './send-page';

const PER_PAGE = 10;
const SNIPPET = 300;
const ENGINES = ['sandbox', 'sandbox news'];

/** `GET /search` as SearXNG answers it, over the corpus. */
export function search(x: Exchange, fault: Fault | undefined): void {
  const format = x.query.get('format');
  if (format !== 'json')
    return sendPage(
      x,
      403,
      'text/html; charset=utf-8',
      Buffer.from(
        '<!doctype html>\n<title>403 Forbidden</title>\n<h1>Forbidden</h1>\n',
      ),
    );
  const query = x.query.get('q')?.trim() ?? '';
  if (query === '') return sendJson(x.res, 400, { error: 'No query' });
  const number = Number(x.query.get('pageno') ?? 1);
  if (!Number.isInteger(number) || number < 1)
    return sendJson(x.res, 400, {
      error: 'Invalid value for parameter pageno',
    });
  const blocked = fault?.kind === 'blocked_engines';
  const none = fault?.kind === 'no_results' || (blocked && !fault.partly);
  const found = none ? [] : sourcesOf(query, x.query.get('language'));
  const first = (number - 1) * PER_PAGE;
  const results = found
    .slice(first, first + PER_PAGE)
    .map((source, n) => resultOf(source, first + n, query, x, fault?.page));
  sendJson(x.res, 200, {
    query,
    results,
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: blocked ? unresponsive(none) : [],
  });
}

const unresponsive = (all: boolean) =>
  all
    ? ENGINES.map((engine) => [engine, 'Suspended: too many requests'])
    : [[ENGINES[1], 'timeout']];

/** Pages in the wanted language: that of the query where none is named. Where any is wanted (`all`), it comes first. */
function sourcesOf(query: string, wanted: string | null): Source[] {
  const named = /^(ko|en)\b/.exec(wanted ?? '')?.[1] as Language | undefined;
  const own = named ?? languageOf(query);
  const other = own === 'ko' ? 'en' : 'ko';
  const languages: Language[] = wanted === 'all' ? [own, other] : [own];
  const seen = new Set<string>();
  return languages
    .flatMap((language) => searchCorpus(query, language))
    .filter(({ url }) => url !== null && !seen.has(url) && seen.add(url));
}

function resultOf(
  source: Source,
  rank: number,
  query: string,
  x: Exchange,
  hostile?: string,
): object {
  const path = pageAt(source.url)?.path ?? '/pages/';
  const led =
    hostile !== undefined && rank === 0
      ? path.replace('/pages/', `/pages/hostile/${hostile}/`)
      : path;
  const url = new URL(led, `http://${x.req.headers.host ?? 'localhost'}`);
  return {
    url: url.href,
    title: source.title,
    content: bestParagraphs(source, query, 1).join(' ').slice(0, SNIPPET),
    publishedDate: null,
    thumbnail: '',
    engine: ENGINES[0],
    template: 'default.html',
    parsed_url: ['http', url.host, url.pathname, '', '', ''],
    img_src: '',
    priority: '',
    engines: [ENGINES[0]],
    positions: [rank + 1],
    score: 1 / (rank + 1),
    category: 'general',
  };
}
