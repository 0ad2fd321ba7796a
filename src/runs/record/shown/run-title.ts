const MAX_WORDS = 9;
/** Of languages that write without spaces. */
const MAX_CHARS = 80;
const HEADING = /^\s*#[ \t]+([^\n]{1,1000})/;

/** At most nine words: of the heading that a report begins with, or else of its question. Null without either. */
export function titleOf(
  question: string | null,
  text: string | null,
): string | null {
  const [, heading] = HEADING.exec((text ?? '').slice(0, 2_000)) ?? [];
  return shortened(
    heading?.replace(/\\(?=[!-/:-@[-`{-~])/g, '') ?? question ?? '',
  );
}

function shortened(text: string): string | null {
  const words = text.trim().split(/\s+/);
  const first = words.slice(0, MAX_WORDS).join(' ');
  const chars = Array.from(first).slice(0, MAX_CHARS).join('');
  if (!chars) return null;
  const isWhole = words.length <= MAX_WORDS && chars === first;
  return isWhole ? chars : `${chars.replace(/[\s.,:;!?]+$/, '')}…`;
}
