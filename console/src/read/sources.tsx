import { named } from '../i18n/language';
import { safeLink } from '../ui/safe-link';
import type { ReportDocument } from '../ui/report.types';
import { hostOf, type ReportCitation } from './citation-card';
import { readWords } from './read.words';
import { standingOf } from './standing';

/** A page and the citations that rest on it. */
interface Page {
  url: string;
  title: string;
  href: string | null;
  citations: ReportCitation[];
}

function pagesOf(citations: readonly ReportCitation[]): Page[] {
  const pages = new Map<string, Page>();
  for (const one of citations) {
    const { url, title, href } = one;
    const page = pages.get(url) ?? { url, title, href, citations: [] };
    page.citations.push(one);
    pages.set(url, page);
  }
  return [...pages.values()];
}

/** The pages that are cited, each once, with the numbers that cite it; and what was consulted beside them. */
export function Sources({
  report,
  current,
  onShow,
}: {
  report: ReportDocument;
  /** The number of the citation that is open. */
  current: number | undefined;
  onShow: (number: number) => void;
}) {
  const w = readWords();
  const pages = pagesOf(report.citations);
  return (
    <aside class="sources">
      <h2>
        {w.sources} <span class="muted num">{pages.length}</span>
      </h2>
      <ol>
        {pages.map(({ url, title, href, citations }) => (
          <li key={url}>
            <Title title={title} href={href} />
            <span class="muted tiny">{hostOf(url)}</span>
            <span class="numbers">
              {citations.map(({ number, verdict }) => (
                <button
                  key={number}
                  type="button"
                  class={`cite ${standingOf(verdict) ?? ''}`}
                  aria-current={number === current ? 'true' : undefined}
                  aria-label={`${number}, ${w.showCitation}${verdict === null ? '' : `, ${named(w.verdict, verdict)}`}`}
                  onClick={() => onShow(number)}
                >
                  {number}
                </button>
              ))}
            </span>
          </li>
        ))}
      </ol>
      {report.consulted.length > 0 && (
        <details>
          <summary>
            {w.consulted} <span class="num">{report.consulted.length}</span>
          </summary>
          <ul class="tiny">
            {report.consulted.map(({ url, title, href }) => (
              <li key={url}>
                <Title title={title} href={href} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  );
}

function Title({ title, href }: { title: string; href: string | null }) {
  const link = href === null ? null : safeLink(href);
  return link === null ? (
    <span>{title}</span>
  ) : (
    <a href={link} target="_blank" rel="noopener noreferrer nofollow">
      {title}
    </a>
  );
}
