import { closingIn, type Opening } from './answer.marks';

const FENCE = /^\s*(`{3,}|~{3,})\s*(\S*)\s*$/;
const QUOTES = /[`'"“”‘’«「『(]$/;
/** Words with which an example is announced, rather than a call. */
const EXAMPLE =
  /\bfor (?:example|instance)\b|\be\.g\.|\bas an example|\bexamples?\b[^.\n]{0,80}:|\bwould (?:write|call|look|send|answer)\b|\blooks? (?:like|as follows)|\b(?:could|can|should|must) write\b|\b(?:this|the|following|its|their) (?:form|format|syntax)\b|예시|예를 들|예컨대|예제|같은 형[식태]|형[식태][은로으]/i;
/** How a model goes on that makes up what its call gave. */
const MADE_UP =
  /^(?:<[^>]*>\s*)?[[({*#\s]*(?:(?:the )?(?:tool|function|search|call)?[\s_]*(?:results?|outputs?|responses?|observations?|returned|returns)|도구|결과|관찰|출력)/i;
const MADE_UP_WINDOW = 40;
/** How much is read of the line before a call. */
const LEAD = 200;

/** The lines of a text as it comes: which one is open, which was the last with words, and whether a fence is open. */
export class Lines {
  private line = '';
  private lead = '';
  private fence: { ticks: string; blank: boolean } | null = null;

  get empty(): boolean {
    return this.line.trim() === '' && this.lead === '' && !this.fence;
  }

  push(text: string): void {
    const lines = text.split('\n');
    this.line += lines[0];
    for (const next of lines.slice(1)) {
      this.endLine();
      this.line = next;
    }
  }

  /** Whether a call after this text and the opening may be one, rather than part of a sentence or a sample of code. */
  admits({ before, tagged, ticks }: Opening): false | { fenced: boolean } {
    const here = this.after(before);
    const line = here.line.trimEnd();
    const lead = `${here.lead.slice(-LEAD)}\n${line.slice(-LEAD)}`;
    if (EXAMPLE.test(lead)) return false;
    if (here.fence) {
      return here.fence.blank && line.trim() === '' && { fenced: true };
    }
    const fenced = ticks > 0;
    if (line.trim() === '') return { fenced };
    return tagged && !fenced && !QUOTES.test(line) && { fenced };
  }

  /** Whether words stand before the end of this text in its line. */
  inLine(before: string): boolean {
    return this.after(before).line.trim() !== '';
  }

  private after(more: string): Lines {
    const copy = new Lines();
    Object.assign(copy, this, { fence: this.fence && { ...this.fence } });
    copy.push(more);
    return copy;
  }

  private endLine(): void {
    const { line, fence } = this;
    const [, ticks, info = ''] = FENCE.exec(line) ?? [];
    if (fence) {
      if (ticks?.startsWith(fence.ticks) && info === '') this.fence = null;
      else if (!ticks && line.trim() !== '') fence.blank = false;
    } else if (ticks) this.fence = { ticks, blank: true };
    else if (line.trim() !== '') this.lead = line;
  }
}

export type Verdict = 'call' | 'quotation' | 'open';

/**
 * What the text after a call says of it: a call ends its line, or its fence; in a sentence or in a longer sample of code
 * it is a quotation.
 * @param at where it stands.
 * @param isEnd nothing follows.
 */
export function verdictOn(
  after: string,
  at: { fenced: boolean; tagged: boolean; inLine: boolean },
  isEnd: boolean,
): Verdict {
  const closing = closingIn(after);
  if (closing.open && !isEnd) return 'open';
  const rest = after.slice(closing.length);
  if (at.fenced) return inFence(rest, isEnd);
  // A mark that closes what was opened at the begin of a line stands for the end of that line.
  if (closing.length > 0 && !at.inLine) return 'call';
  if (/^[ \t\r,;.]*\n/.test(rest)) return 'call';
  if (/^[ \t\r,;.]*$/.test(rest)) return isEnd ? 'call' : 'open';
  const words = rest.trimStart();
  if (words.length < MADE_UP_WINDOW && !words.includes('\n') && !isEnd)
    return 'open';
  return MADE_UP.test(words.slice(0, MADE_UP_WINDOW)) ? 'call' : 'quotation';
}

function inFence(rest: string, isEnd: boolean): Verdict {
  const [, ticks, more] = /^[\s,;]*(`*)([^]?)/.exec(rest)!;
  if (ticks.length >= 3) return 'call';
  if (more !== '') return 'quotation';
  return isEnd ? 'call' : 'open';
}

/** Whether nothing but blanks, commas, fences and marks stands between two calls. */
export function areTogether(between: string): boolean {
  let rest = between;
  for (;;) {
    const cut = rest.slice(closingIn(rest).length);
    const next = cut.replace(/^(?:[\s,;]+|`{3,}\w*(?=\s|$|<))/, '');
    if (next === rest) return rest === '';
    rest = next;
  }
}
