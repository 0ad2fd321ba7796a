import { named } from '../i18n/language';
import { useRef, useState } from 'preact/hooks';
import type { ReportDocument } from '../ui/report.types';
import { Blocks } from './blocks';
import { CitationCard } from './citation-card';
import { readWords } from './read.words';
import { Sources } from './sources';
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
    <>
      <Text report={report} open={open} setOpen={setOpen} />
      <Sources report={report} current={open?.number} onShow={show} />
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
