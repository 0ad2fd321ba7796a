import { named } from '../i18n/language';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { common } from '../i18n/common.words';
import { dateTime } from '../i18n/format';
import { safeLink } from '../ui/safe-link';
import type { ReportDocument } from '../ui/report.types';
import { readWords } from './read.words';
import { type Standing, standingOf } from './standing';

export type ReportCitation = ReportDocument['citations'][number];

const WIDTH = 400;
const MARGIN = 8;
const NARROW = 860;

const MARKS: Record<Standing, string> = { good: '✓', neutral: '?', bad: '!' };

/** What a citation rests on: below its number, or at the foot of a narrow window. */
export function CitationCard({
  citation,
  anchor,
  onClose,
}: {
  citation: ReportCitation;
  anchor: HTMLElement;
  onClose: () => void;
}) {
  const w = readWords();
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place(card.current!, anchor), [anchor]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        onClose();
        anchor.focus();
      }
    };
    const onPress = (event: PointerEvent): void => {
      const target = event.target as Node;
      if (!card.current?.contains(target) && !anchor.contains(target))
        onClose();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [anchor]);
  const {
    number,
    href,
    title,
    quote,
    window: around,
    read_at,
    verdict,
    checked_by,
    detail,
    url,
  } = citation;
  const standing = standingOf(verdict);
  const link = href === null ? null : safeLink(href);
  return (
    <div
      ref={card}
      class="citation-card"
      role="dialog"
      aria-label={`${number}, ${w.citation}`}
    >
      <div class="row between">
        {link ? (
          <a href={link} target="_blank" rel="noopener noreferrer nofollow">
            <strong>{title}</strong>
          </a>
        ) : (
          <strong>{title}</strong>
        )}
        <button
          type="button"
          class="quiet"
          aria-label={common().close}
          onClick={onClose}
        >
          ×
        </button>
      </div>
      <p class="muted tiny">
        {hostOf(url)}
        {read_at !== null && ` · ${w.readAt(dateTime(read_at))}`}
      </p>
      {citation.purged ? (
        <p>{w.purged}</p>
      ) : quote === null ? (
        <p class="muted">{w.noQuote}</p>
      ) : (
        <Quote quote={quote} around={around} standing={standing} />
      )}
      {verdict !== null && standing && (
        <p class={`verdict ${standing}`}>
          {MARKS[standing]} {named(w.verdict, verdict)}
          {detail !== null && `: “${detail}”`}
        </p>
      )}
      {checked_by !== null && (
        <p class="muted tiny">{named(w.checkedBy, checked_by)}</p>
      )}
    </div>
  );
}

/** The quote within the text of the page around it. */
function Quote({
  quote,
  around,
  standing,
}: {
  quote: string;
  around: string | null;
  standing: Standing | undefined;
}) {
  const at = around?.indexOf(quote) ?? -1;
  return (
    <q class={standing}>
      {around !== null && at > 0 && (
        <span class="muted">…{around.slice(Math.max(0, at - 160), at)}</span>
      )}
      <mark>{quote}</mark>
      {around !== null && at >= 0 && at + quote.length < around.length && (
        <span class="muted">
          {around.slice(at + quote.length, at + quote.length + 160)}…
        </span>
      )}
    </q>
  );
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || url : url;
}

function place(card: HTMLElement, anchor: HTMLElement): void {
  if (window.innerWidth <= NARROW) return;
  const { left, bottom, top } = anchor.getBoundingClientRect();
  const width = Math.min(WIDTH, window.innerWidth - 2 * MARGIN);
  const x = Math.min(left, window.innerWidth - width - MARGIN);
  const below = bottom + MARGIN;
  const { offsetHeight } = card;
  const fits = below + offsetHeight < window.innerHeight;
  const y = fits ? below : Math.max(MARGIN, top - offsetHeight - MARGIN);
  card.style.left = `${x + window.scrollX}px`;
  card.style.top = `${y + window.scrollY}px`;
}
