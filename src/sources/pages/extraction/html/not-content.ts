import type { PageFault } from '../../page.types';
import type { HtmlScan } from './html-scan';

/** Without white space. A longer text is a page, whatever its markup and title say. */
const MAX_WALL_CHARS = 800;
const MAX_TEASER_CHARS = 1_500;
const MAX_SHELL_CHARS = 200;
const MAX_WAITING_CHARS = 40;
const MAX_WALL_LINKS = 10;

/** A part of a title that says nothing but that there is no such page. */
const MISSING_TITLE =
  /^((http )?(error|fehler|erreur|오류) ?)?404( error)?([ :.–-]*(page |file |document )?not found)?[.!]?$|^((sorry,? )?(the |this )?(page|file|document) )?(was |could |can)?(not |n[o']t )(be )?found[.!]?$|^seite nicht gefunden$|^page (introuvable|non trouvée)$|^página no encontrada$|^페이지를 찾을 수 없(습니다|음)\.?$|^ページが見つかりません。?$/i;
const TITLE_PARTS = /\s+[|–—·:»-]\s+/;

/**
 * Why the page that answered is not the one that was asked for; undefined if nothing speaks against it.
 * `chars` are those of the text that would be read, `own` those outside of menus and consent, both without white space.
 */
export function notContent(
  { signals, title = '', visible }: HtmlScan,
  { chars, own, isFree }: { chars: number; own: number; isFree: boolean },
): PageFault | undefined {
  const { consent, noscript, mount } = signals.chars;
  const isShort = chars <= MAX_WALL_CHARS;
  if (isShort && signals.challenge) return 'challenge';
  const isGate = signals.fields === 0 && signals.links <= MAX_WALL_LINKS;
  if (isShort && signals.captcha && isGate) return 'captcha';
  if (own <= MAX_WAITING_CHARS && consent > MAX_WAITING_CHARS)
    return 'consent_wall';
  if (!isFree && chars <= MAX_TEASER_CHARS) return 'paywall';
  const heading = visible.headings?.[0]?.text ?? '';
  if (isShort && (signals.missing || saysMissing(title, heading)))
    return 'soft_404';
  const waits = mount <= MAX_WAITING_CHARS && chars <= MAX_SHELL_CHARS;
  const isApp = signals.hasMount && !(visible.headings?.length ?? 0);
  const says = noscript > chars && chars <= MAX_WAITING_CHARS;
  if (signals.scripts > 0 && ((waits && isApp) || says)) return 'empty_shell';
  return undefined;
}

function saysMissing(...titles: readonly string[]): boolean {
  return titles.some((title) =>
    title
      .trim()
      .split(TITLE_PARTS)
      .some((part) => MISSING_TITLE.test(part.trim())),
  );
}
