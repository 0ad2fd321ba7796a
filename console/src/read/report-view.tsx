import { named } from '../i18n/language';
import { useRef, useState } from 'preact/hooks';
import type { ReportDocument } from '../ui/report.types';
import { Blocks } from './blocks';
import { CitationCard, hostOf } from './citation-card';
import { readWords } from './read.words';
import { standingOf } from './standing';

interface Open {
  number: number;
  anchor: HTMLElement;
}

interface Cards {
  open: Open | undefined;
  setOpen: (open: Open | undefined) => void;
}

/** The text alone; its citations open their cards. */
export function ReportText({ report }: { report: ReportDocument }) {
  const [open, setOpen] = useState<Open>();
  return <Text report={report} open={open} setOpen={setOpen} />;
}

/** The text with its numbered citations, and beside it their sources. */
export function ReportView({ report }: { report: ReportDocument }) {
  const [open, setOpen] = useState<Open>();
  return (
    <>
      <Text report={report} open={open} setOpen={setOpen} />
      <Sources report={report} open={open} setOpen={setOpen} />
    </>
  );
}

function Text({ report, open, setOpen }: Cards & { report: ReportDocument }) {
  const w = readWords();
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined);
  const citations = new Map(report.citations.map((one) => [one.number, one]));
  const current = open && citations.get(open.number);

  const cite = (number: number, key: number) => {
    const citation = citations.get(number);
    const verdict = citation?.verdict ?? null;
    return (
      <button
        key={key}
        type="button"
        class={`cite ${standingOf(verdict) ?? ''}`}
        data-number={number}
        aria-haspopup="dialog"
        aria-expanded={open?.number === number}
        aria-label={`${number}, ${w.citation}${verdict ? `, ${named(w.verdict, verdict)}` : ''}`}
        onClick={({ currentTarget: anchor }) => {
          clearTimeout(hover.current);
          setOpen({ number, anchor });
        }}
        onPointerEnter={({ currentTarget: anchor, pointerType }) => {
          if (pointerType !== 'mouse') return;
          hover.current = setTimeout(() => setOpen({ number, anchor }), 250);
        }}
        onPointerLeave={() => clearTimeout(hover.current)}
      >
        {number}
      </button>
    );
  };

  return (
    <>
      <article class="report" lang={report.language}>
        <Blocks blocks={report.blocks} cite={cite} />
      </article>
      {open && current && (
        <CitationCard
          key={`${open.number}`}
          citation={current}
          anchor={open.anchor}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

function Sources({
  report,
  open,
  setOpen,
}: Cards & { report: ReportDocument }) {
  const w = readWords();
  const show = (number: number): void => {
    const anchor = document.querySelector<HTMLElement>(
      `.report [data-number="${number}"]`,
    );
    if (!anchor) return;
    anchor.scrollIntoView({ block: 'center' });
    anchor.focus({ preventScroll: true });
    setOpen({ number, anchor });
  };

  return (
    <aside class="sources">
      <h2>
        {w.sources} <span class="muted num">{report.citations.length}</span>
      </h2>
      <ol>
        {report.citations.map(({ number, title, url, verdict }) => (
          <li key={number} class={open?.number === number ? 'on' : undefined}>
            <button type="button" class="quiet" onClick={() => show(number)}>
              <span class="number num">{number}</span>
              <span>
                {title}
                <span class="muted tiny">
                  {hostOf(url)}
                  {verdict !== null && ` · ${named(w.verdict, verdict)}`}
                </span>
              </span>
            </button>
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
                {href === null ? (
                  title
                ) : (
                  <a
                    href={href}
                    target="_blank"
                    rel="noopener noreferrer nofollow"
                  >
                    {title}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  );
}
