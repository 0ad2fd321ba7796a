import { closingIn, type Opening } from './answer-marks';

const FENCE = /^\s*(`{3,}|~{3,})\s*(\S*)\s*$/;
const QUOTES = /[`'"“”‘’«「『(]$/;
/** Phrases that announce an example rather than a call. */
const EXAMPLE =
  /\bfor (?:example|instance)\b|\be\.g\.|\bas an example|\bexamples?\b[^.\n]{0,80}:|\bwould (?:write|call|look|send|answer)\b|\blooks? (?:like|as follows)|\b(?:could|can|should|must) write\b|\b(?:this|the|following|its|their) (?:form|format|syntax)\b|예시|예를 들|예컨대|예제|같은 형[식태]|형[식태][은로으]/i;
/** How a model continues that invents the result of its call. */
const INVENTED_RESULT =
  /^(?:<[^>]*>\s*)?[[({*#\s]*(?:(?:the )?(?:tool|function|search|call)?[\s_]*(?:results?|outputs?|responses?|observations?|returned|returns)|도구|결과|관찰|출력)/i;
const INVENTED_WINDOW = 40;
/** A sentence before a call on the same line has ended, or announces it. */
const SENTENCE_END = /[\p{L}\p{N})][.!?:。！？…]$/u;
/** How many characters of the line before a call are examined. */
const LEAD_LENGTH = 200;

/** Where a call may stand: in a fence, or on the line of a sentence that has ended. */
interface Admitted {
  fenced: boolean;
  afterSentence?: true;
}

/** The lines of a text as it arrives: the open line, the last line with words, and whether a fence is open. */
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

  /** Whether a call may follow this text and opening, rather than be part of a sentence or a code sample. */
  admits({ before, tagged, ticks }: Opening): false | Admitted {
    const here = this.after(before);
    const line = here.line.trimEnd();
    const lead = `${here.lead.slice(-LEAD_LENGTH)}\n${line.slice(-LEAD_LENGTH)}`;
    if (EXAMPLE.test(lead)) return false;
    if (here.fence) {
      return here.fence.blank && line.trim() === '' && { fenced: true };
    }
    const fenced = ticks > 0;
    if (line.trim() === '') return { fenced };
    if (fenced) return false;
    if (tagged) return !QUOTES.test(line) && { fenced };
    return SENTENCE_END.test(line) && { fenced, afterSentence: true };
  }

  /** Whether the last line of this text contains words. */
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
 * Decides by the text after a call: a call ends its line or its fence; in a sentence or a longer code sample it is a
 * quotation.
 * @param at the position of the call.
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
  // A closing mark, opened at the start of a line, counts as the end of the line.
  if (closing.length > 0 && !at.inLine) return 'call';
  if (/^[ \t\r,;.]*\n/.test(rest)) return 'call';
  if (/^[ \t\r,;.]*$/.test(rest)) return isEnd ? 'call' : 'open';
  const words = rest.trimStart();
  if (words.length < INVENTED_WINDOW && !words.includes('\n') && !isEnd)
    return 'open';
  return INVENTED_RESULT.test(words.slice(0, INVENTED_WINDOW))
    ? 'call'
    : 'quotation';
}

/** Decides on a call that counts only as the whole answer: nothing but marks and fences follow. */
export function verdictOnWhole(after: string, isEnd: boolean): Verdict {
  const rest = after.slice(closingIn(after).length);
  if (isEnd) return areTogether(rest) ? 'call' : 'quotation';
  return /[\p{L}\p{N}]/u.test(rest) && !closingIn(rest).open
    ? 'quotation'
    : 'open';
}

function inFence(rest: string, isEnd: boolean): Verdict {
  const [, ticks, more] = /^[\s,;]*(`*)([^]?)/.exec(rest)!;
  if (ticks.length >= 3) return 'call';
  if (more !== '') return 'quotation';
  return isEnd ? 'call' : 'open';
}

/** Whether only white space, commas, fences and marks separate two calls. */
export function areTogether(between: string): boolean {
  let rest = between;
  for (;;) {
    const cut = rest.slice(closingIn(rest).length);
    const next = cut.replace(/^(?:[\s,;]+|`{3,}\w*(?=\s|$|<))/, '');
    if (next === rest) return rest === '';
    rest = next;
  }
}
