import { closingBracket } from './answer.brackets';

/**
 * A part of an answer: what may be a call (JSON, or one written in markup or in Python), what the model thought, or
 * anything else. `thought`: all before it was thinking, because that began in the prompt; it has no text.
 */
export interface Section {
  kind: Place | 'thought';
  text: string;
  /** Of what may be a call: whether its end is there. */
  closed?: boolean;
}

type Place = 'text' | 'thinking' | 'json' | 'markup' | 'python';

const THINK = '<think>';
const THINK_END = '</think>';
const MARKUP = '<function=';
const MARKUP_END = '</function>';
/** The channels of harmony, as they come where the endpoint does not read them. */
const ROLES = ['', '<|start|>assistant'];
const ASIDE = ROLES.map((role) => `${role}<|channel|>analysis<|message|>`);
const SPEECH = ROLES.flatMap((role) =>
  ['final', 'commentary'].map((one) => `${role}<|channel|>${one}<|message|>`),
);
const MESSAGE_ENDS = ['<|end|>', '<|return|>'];
/** What begins the next message of harmony. */
const NEXT = ['<|start|>', '<|channel|>'];
const MARKS = [THINK, THINK_END, ...ASIDE, ...SPEECH, ...MESSAGE_ENDS];
/** The longest that is kept back for what its end may begin. */
const HELD = 150;
const LONGEST = Math.max(...MARKS.map(({ length }) => length));

/** `{"`, `{}`, `{tool_name`, `[{`: what may begin JSON. Brackets of prose, links and formulas do not. */
const JSON_BEGINS = String.raw`\{(?=\s*(?:["'“‘\`}]|tool_name|arguments))|\[(?=\s*\{)`;
const MARKUP_BEGINS = String.raw`<function=[\w.-]{1,64}>(?=\s*(?:<parameter=|<\/function>))`;
const MARKUP_MAY_BEGIN = /<function=[\w.-]{0,64}(?:>\s*(?:<[/\w]{0,11}=?)?)?$/;
const NAMES = ['tool_name', 'arguments'];
const FENCE = 'tool_code';
const FENCE_MAY_BEGIN = /(`{1,})([a-z_]*)(\s{0,8})([\w.-]{0,64})$/;

/** What to take next: up to `end`, leaving out the mark after it. Without `inside`, more has to come first. */
interface Step {
  end: number;
  mark?: string;
  inside?: Place;
}

/**
 * Splits an answer once from its begin to its end, as it comes: what is inside a call or thinking begins nothing. What may
 * be the begin of something, and a call that has no end yet, is kept back. Text and thinking come in pieces, calls whole.
 */
export class Sections {
  private rest = '';
  private inside: Place = 'text';
  /** How the thinking ends that is being read. */
  private thinkEnds: readonly string[] = [THINK_END];
  private inHarmony = false;
  /** The last character of the text so far. */
  private last = '';
  private readonly begins: RegExp;

  /** @param tools their names: in Python the name alone shows that it is a call. */
  constructor(private readonly tools: readonly string[] = []) {
    const names = tools.map(escaped).join('|') || '(?!)';
    this.begins = new RegExp(
      [
        ...MARKS.map(escaped),
        JSON_BEGINS,
        MARKUP_BEGINS,
        String.raw`\[(?=\s*(?:${names})\s*\()`,
        String.raw`(?<=\`{3}${FENCE}\s{1,8})(?:${names})(?=\s*\()`,
      ].join('|'),
      'g',
    );
  }

  push(chunk: string): Section[] {
    this.rest += chunk;
    // Only these can end it, and to look for its end takes as long as the call is.
    if (this.holdsCall && !/[}\])>]/.test(chunk)) return [];
    const sections: Section[] = [];
    for (;;) {
      const { end, mark = '', inside } = this.next();
      const [kind, text] = [this.inside, this.rest.slice(0, end)];
      if (text !== '')
        sections.push({ kind, text, ...(this.holdsCall && { closed: true }) });
      this.last = text.at(-1) ?? this.last;
      this.rest = this.rest.slice(end + mark.length);
      if (!inside) return sections;
      if (kind === 'text' && mark === THINK_END) {
        sections.push({ kind: 'thought', text: '' });
      }
      this.inside = inside;
    }
  }

  /** What was kept back, at the end of the answer. */
  end(): Section[] {
    const { rest: text, inside: kind } = this;
    this.rest = '';
    if (text === '') return [];
    return [{ kind, text, ...(this.holdsCall && { closed: false }) }];
  }

  private get holdsCall(): boolean {
    return this.inside !== 'text' && this.inside !== 'thinking';
  }

  private next(): Step {
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

  private begin(): Step {
    const { rest } = this;
    for (const { 0: mark, index: end } of rest.matchAll(this.begins)) {
      const isQuoted = (end > 0 ? rest[end - 1] : this.last) === '`';
      if (isQuoted && mark.includes('|')) continue;
      if (mark === THINK_END) return { end, mark, inside: 'text' };
      if (mark === THINK || ASIDE.includes(mark)) {
        this.inHarmony ||= mark !== THINK;
        this.thinkEnds =
          mark === THINK ? [THINK_END] : [...MESSAGE_ENDS, ...NEXT];
        return { end, mark, inside: 'thinking' };
      }
      if (SPEECH.includes(mark)) {
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
    return { end: this.endOfSafe() };
  }

  private endOfThinking(): Step {
    const { rest, thinkEnds } = this;
    const ends = thinkEnds
      .map((mark) => ({
        mark: NEXT.includes(mark) ? '' : mark,
        end: rest.indexOf(mark),
      }))
      .filter(({ end }) => end >= 0)
      .sort((a, b) => a.end - b.end);
    if (ends.length > 0) return { ...ends[0], inside: 'text' };
    return { end: beginOfPartial(rest, thinkEnds) };
  }

  /** Up to where nothing can become the begin of something, whatever follows. */
  private endOfSafe(): number {
    const { rest } = this;
    const found = [beginOfPartial(rest, [...MARKS, MARKUP])];
    const bracket = Math.max(rest.lastIndexOf('{'), rest.lastIndexOf('['));
    if (bracket >= 0 && this.mayBegin(rest.slice(bracket))) found.push(bracket);
    const markup = rest.lastIndexOf(MARKUP);
    if (markup >= 0 && MARKUP_MAY_BEGIN.test(rest.slice(markup)))
      found.push(markup);
    const fence = FENCE_MAY_BEGIN.exec(rest.slice(-HELD));
    if (fence && this.mayHoldCode(fence))
      found.push(rest.length - fence[0].length);
    return Math.min(...found);
  }

  private mayBegin(begun: string): boolean {
    const name = begun.slice(1).trimStart();
    if (name === '') return true;
    if (begun[0] === '{') return NAMES.some((one) => one.startsWith(name));
    return this.mayBeName(name);
  }

  private mayHoldCode([, ticks, word, blanks, name]: string[]): boolean {
    if (ticks.length < 3) return word === '' && blanks === '' && name === '';
    if (blanks === '') return FENCE.startsWith(word + name);
    return word === FENCE && this.mayBeName(name);
  }

  private mayBeName(begun: string): boolean {
    return this.tools.some(
      (name) => name.startsWith(begun) || begun.trimEnd() === name,
    );
  }
}

/** Where one of the marks begins that goes on after the end of the text; its end if none does. */
function beginOfPartial(text: string, marks: readonly string[]): number {
  let at = text.indexOf('<', Math.max(0, text.length - LONGEST));
  for (; at >= 0; at = text.indexOf('<', at + 1)) {
    const begun = text.slice(at);
    if (marks.some((mark) => mark.startsWith(begun))) return at;
  }
  return text.length;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
