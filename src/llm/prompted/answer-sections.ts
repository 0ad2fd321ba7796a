import { closingBracket } from './answer-brackets';

/**
 * A part of an answer: a possible call (JSON, markup or Python), thinking, or other text. `thought` marks all text before
 * it as thinking that began in the prompt; it has no text.
 */
export interface Section {
  kind: Place | 'thought';
  text: string;
  /** For a possible call: whether it is complete. */
  closed?: boolean;
}

type Place = 'text' | 'thinking' | 'json' | 'markup' | 'python';

const THINK = '<think>';
const THINK_END = '</think>';
const MARKUP = '<function=';
const MARKUP_END = '</function>';
/** The channels of the harmony format, as they arrive from an endpoint that does not parse them. */
const ROLES = ['', '<|start|>assistant'];
const ANALYSIS = ROLES.map((role) => `${role}<|channel|>analysis<|message|>`);
const ANSWER = ROLES.flatMap((role) =>
  ['final', 'commentary'].map((one) => `${role}<|channel|>${one}<|message|>`),
);
const MESSAGE_ENDS = ['<|end|>', '<|return|>'];
/** The beginnings of the next harmony message. */
const NEXT_MESSAGE = ['<|start|>', '<|channel|>'];
const MARKS = [THINK, THINK_END, ...ANALYSIS, ...ANSWER, ...MESSAGE_ENDS];
/** The longest text that is held back because a fence may begin in it. */
const MAX_FENCE = 150;
const LONGEST = Math.max(...MARKS.map(({ length }) => length));

/** `{"`, `{}`, `{tool_name`, `[{`: possible beginnings of JSON. Brackets of prose, links and formulas do not match. */
const JSON_BEGINS = String.raw`\{(?=\s*(?:["'“‘\`}]|tool_name|arguments))|\[(?=\s*\{)`;
const MARKUP_BEGINS = String.raw`<function=[\w.-]{1,64}>(?=\s*(?:<parameter=|<\/function>))`;
const MARKUP_MAY_BEGIN = /<function=[\w.-]{0,64}(?:>\s*(?:<[/\w]{0,11}=?)?)?$/;
const NAMES = ['tool_name', 'arguments'];
const FENCE = 'tool_code';
const FENCE_MAY_BEGIN = /(`{1,})([a-z_]*)(\s{0,8})([\w.-]{0,64})$/;

/** The next part: up to `end`, without the mark after it. If `inside` is missing, more text is needed. */
interface NextPart {
  end: number;
  mark?: string;
  inside?: Place;
}

/**
 * Splits an answer in one pass as it arrives: nothing begins inside a call or thinking. The possible beginning of a part,
 * and an incomplete call, are held back. Text and thinking arrive in pieces, calls whole.
 */
export class Sections {
  private rest = '';
  private inside: Place = 'text';
  /** The marks that end the current thinking. */
  private thinkEnds: readonly string[] = [THINK_END];
  private inHarmony = false;
  /** The last character of the text so far. */
  private last = '';
  /** Whether the text so far has opened a fence. */
  private fenced = false;
  private readonly begins: RegExp;

  /** @param tools the names of the tools: in Python the name alone identifies a call. Null: no text may be a call. */
  constructor(private readonly tools: readonly string[] | null = []) {
    const names = tools?.map(escaped).join('|') || '(?!)';
    const calls = [
      JSON_BEGINS,
      MARKUP_BEGINS,
      String.raw`\[(?=\s*(?:${names})\s*\()`,
      String.raw`(?<=\`{3}${FENCE}\s{1,8})(?:${names})(?=\s*\()`,
    ];
    const begins = [...MARKS.map(escaped), ...(tools ? calls : [])];
    this.begins = new RegExp(begins.join('|'), 'g');
  }

  push(chunk: string): Section[] {
    this.rest += chunk;
    // Only these characters can end a call, and searching for its end takes time in proportion to its length.
    if (this.holdsCall && !/[}\])>]/.test(chunk)) return [];
    const sections: Section[] = [];
    for (;;) {
      const { end, mark = '', inside } = this.next();
      const [kind, text] = [this.inside, this.rest.slice(0, end)];
      if (text !== '')
        sections.push({ kind, text, ...(this.holdsCall && { closed: true }) });
      this.last = text.at(-1) ?? this.last;
      if (kind === 'text') this.fenced = this.isFenced(text);
      this.rest = this.rest.slice(end + mark.length);
      if (!inside) return sections;
      if (kind === 'text' && mark === THINK_END) {
        sections.push({ kind: 'thought', text: '' });
      }
      this.inside = inside;
    }
  }

  /** The text that was held back, at the end of the answer. */
  end(): Section[] {
    const { rest: text, inside: kind } = this;
    this.rest = '';
    if (text === '') return [];
    return [{ kind, text, ...(this.holdsCall && { closed: false }) }];
  }

  private get holdsCall(): boolean {
    return this.inside !== 'text' && this.inside !== 'thinking';
  }

  private next(): NextPart {
    const { rest } = this;
    switch (this.inside) {
      case 'text':
        return this.begin();
      case 'thinking':
        return this.endOfThinking();
      case 'markup': {
        const at = rest.indexOf(MARKUP_END);
        return at < 0
          ? { end: 0 }
          : { end: at + MARKUP_END.length, inside: 'text' };
      }
      default: {
        const end = closingBracket(rest, 0, this.inside);
        return end === undefined ? { end: 0 } : { end, inside: 'text' };
      }
    }
  }

  private begin(): NextPart {
    const { rest } = this;
    for (const { 0: mark, index: end } of rest.matchAll(this.begins)) {
      if (/^<[/|t]/.test(mark) && this.isQuoted(end)) continue;
      if (mark === THINK_END) return { end, mark, inside: 'text' };
      if (mark === THINK || ANALYSIS.includes(mark)) {
        this.inHarmony ||= mark !== THINK;
        this.thinkEnds =
          mark === THINK ? [THINK_END] : [...MESSAGE_ENDS, ...NEXT_MESSAGE];
        return { end, mark, inside: 'thinking' };
      }
      if (ANSWER.includes(mark)) {
        this.inHarmony = true;
        return { end, mark, inside: 'text' };
      }
      if (MESSAGE_ENDS.includes(mark)) {
        if (this.inHarmony) return { end, mark, inside: 'text' };
      } else if (mark.startsWith('<')) return { end, inside: 'markup' };
      else if (mark === '{' || /^\[\s*\{/.test(rest.slice(end)))
        return { end, inside: 'json' };
      else return { end, inside: 'python' };
    }
    return { end: this.safeLength() };
  }

  /** In backticks, or a sample of code: text about a mark is no mark. */
  private isQuoted(at: number): boolean {
    const { rest } = this;
    const before = at > 0 ? rest[at - 1] : this.last;
    return before === '`' || this.isFenced(rest.slice(0, at));
  }

  private isFenced(more: string): boolean {
    const fences = more.match(/`{3,}/g) ?? [];
    return this.fenced !== (fences.length % 2 === 1);
  }

  private endOfThinking(): NextPart {
    const { rest, thinkEnds } = this;
    const ends = thinkEnds
      .map((mark) => ({
        mark: NEXT_MESSAGE.includes(mark) ? '' : mark,
        end: rest.indexOf(mark),
      }))
      .filter(({ end }) => end >= 0)
      .sort((a, b) => a.end - b.end);
    if (ends.length > 0) return { ...ends[0], inside: 'text' };
    return { end: startOfPartial(rest, thinkEnds) };
  }

  /** The length of the text in which nothing can begin, whatever follows. */
  private safeLength(): number {
    const { rest } = this;
    const found = [startOfPartial(rest, [...MARKS, MARKUP])];
    if (!this.tools) return found[0];
    const bracket = Math.max(rest.lastIndexOf('{'), rest.lastIndexOf('['));
    if (bracket >= 0 && this.mayBegin(rest.slice(bracket))) found.push(bracket);
    const markup = rest.lastIndexOf(MARKUP);
    if (markup >= 0 && MARKUP_MAY_BEGIN.test(rest.slice(markup)))
      found.push(markup);
    const fence = FENCE_MAY_BEGIN.exec(rest.slice(-MAX_FENCE));
    if (fence && this.mayHoldCode(fence))
      found.push(rest.length - fence[0].length);
    return Math.min(...found);
  }

  private mayBegin(start: string): boolean {
    const name = start.slice(1).trimStart();
    if (name === '') return true;
    if (start[0] === '{') return NAMES.some((one) => one.startsWith(name));
    return this.mayBeName(name);
  }

  private mayHoldCode([, ticks, word, blanks, name]: string[]): boolean {
    if (ticks.length < 3) return word === '' && blanks === '' && name === '';
    if (blanks === '') return FENCE.startsWith(word + name);
    return word === FENCE && this.mayBeName(name);
  }

  private mayBeName(start: string): boolean {
    return (this.tools ?? []).some(
      (name) => name.startsWith(start) || start.trimEnd() === name,
    );
  }
}

/** The start of a mark that is incomplete at the end of the text; the length of the text if there is none. */
function startOfPartial(text: string, marks: readonly string[]): number {
  let at = text.indexOf('<', Math.max(0, text.length - LONGEST));
  for (; at >= 0; at = text.indexOf('<', at + 1)) {
    const start = text.slice(at);
    if (marks.some((mark) => mark.startsWith(start))) return at;
  }
  return text.length;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
