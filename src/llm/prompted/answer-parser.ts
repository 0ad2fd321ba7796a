// By hand: no library knows the forms in which models write calls into a text, and none may take a quoted example for a call.
import { callsIn, isRequested, type PromptedCall } from './answer-calls';
import { AnswerText } from './answer-text';
import { openingIn } from './answer-marks';
import { AnyCall, type CallPolicy, inRequestedFormat } from './call-policy';
import { type Section, Sections } from './answer-sections';
import { areTogether, Lines } from './answer-quotations';

export interface PromptedAnswer {
  calls: PromptedCall[];
  /** The text besides the calls. */
  text: string;
  /** The whole text, calls included. */
  raw: string;
  /** From `<think>` blocks, which neither text contains. */
  thinking: string;
}

/** Receives the answer as it arrives. */
export interface PromptedListener {
  emitText(text: string): void;
  emitThinking(text: string): void;
}

/** Consecutive calls, and what followed them. */
interface CallGroup {
  calls: PromptedCall[];
  /** As written, including the text between them. */
  written: string;
  after: string;
  at: { fenced: boolean; tagged: boolean; inLine: boolean };
  /** The text before the group that is not emitted yet. */
  before: string;
  /** The marks that opened it. */
  opening: string;
  /** In a call format that the model was trained on, not the requested one. */
  nativeFormat: boolean;
  /** It is certain that these are calls. */
  certain: boolean;
}

/**
 * Parses the answer of a model whose tools were described in the prompt, as it arrives. A call stands by itself: on a line
 * of its own, in a fence or between marks. A call inside a sentence or a longer code sample is a quotation, and so is one
 * that occurs in the input, ignoring white space. Text after a call is dropped, because the model cannot know the result
 * yet. Text that may become a call is held back until that is decided.
 */
export class AnswerParser {
  private readonly sections: Sections;
  private group: CallGroup | null = null;
  private ended = false;
  private raw = '';
  private text = '';
  private thinking = '';
  private readonly plain = new AnswerText();
  private lines = new Lines();

  /**
   * @param tools the names of the tools; null if none were described, so that nothing is a call.
   * @param inputs the texts of users, documents and tools.
   * @param policy what counts as a call.
   */
  constructor(
    private readonly tools: ReadonlySet<string> | null,
    private readonly inputs: readonly string[] = [],
    private readonly listener?: PromptedListener,
    private readonly policy: CallPolicy = new AnyCall(),
  ) {
    this.sections = new Sections(tools && [...tools]);
  }

  push(chunk: string): void {
    this.consume(this.sections.push(chunk));
    this.flush(false);
  }

  end(): PromptedAnswer {
    this.consume(this.sections.end());
    this.decide(true);
    const calls = this.writtenCalls();
    if (calls.length > 0) this.plain.drop();
    this.flush(true);
    const { group, text } = this;
    const thinking = this.thinking.trim();
    const raw = calls.map(inRequestedFormat).join('\n');
    if (calls.length > 0) return { calls, text, raw, thinking };
    if (!group) return { calls: [], text, raw: this.raw.trim(), thinking };
    return { calls: group.calls, text, raw: this.rawWith(group), thinking };
  }

  private consume(sections: readonly Section[]): void {
    for (const section of sections) {
      const { kind, text } = section;
      if (kind === 'thinking') this.addThinking(text);
      else if (kind === 'thought') this.treatAsThinking();
      else if (this.ended) continue;
      else if (kind !== 'text') this.readCall(section);
      else if (this.group) {
        this.group.after += text;
        this.decide(false);
      } else this.addText(text);
    }
  }

  private readCall(section: Section): void {
    if (this.group && this.extend(this.group, section)) return;
    if (this.group?.certain) {
      this.ended = true;
      return;
    }
    this.treatAsText();
    this.lines.push(this.plain.settle());
    const opening = openingIn(this.plain.pending);
    const { before, tagged } = opening;
    const admitted = this.lines.admits(opening);
    const isWhole = this.lines.empty && before.trim() === '';
    const calls = admitted
      ? this.callsIn(section, opening, tagged && isWhole)
      : [];
    const mayCall =
      admitted &&
      this.policy.allows(calls, tagged || isWhole) &&
      (!admitted.afterSentence || isRequested(section, calls, this.tools));
    if (!mayCall) return this.addText(section.text);
    this.group = {
      calls,
      written: section.text,
      after: '',
      before,
      opening: this.plain.pending.slice(before.length),
      at: { ...admitted, tagged, inLine: this.lines.inLine(before) },
      nativeFormat:
        tagged ||
        !section.text.includes('tool_name') ||
        this.plain.pending.includes('tool_code'),
      certain: false,
    };
  }

  /** Adds the section to the group if it is another call. Returns whether it is. */
  private extend(group: CallGroup, section: Section): boolean {
    const opening = openingIn(group.after);
    if (!areTogether(opening.before)) return false;
    const calls = this.callsIn(
      section,
      opening,
      group.certain && opening.tagged,
    );
    group.calls.push(...calls);
    if (calls.length === 0) return false;
    group.nativeFormat ||=
      opening.tagged || !section.text.includes('tool_name');
    group.written += group.after + section.text;
    group.after = '';
    return true;
  }

  private decide(isEnd: boolean): void {
    const { group } = this;
    if (!group || group.certain) return;
    const verdict = this.policy.verdictOn(group.after, group.at, isEnd);
    if (verdict === 'quotation') this.treatAsText();
    group.certain = verdict === 'call';
  }

  /** The calls of an answer that is nothing else, and of which nothing was emitted. */
  private writtenCalls(): PromptedCall[] {
    if (this.group || this.text !== '' || this.isQuoted(this.raw)) return [];
    return this.policy.callsOfWhole(this.raw);
  }

  /** The group turned out to be text. */
  private treatAsText(): void {
    if (!this.group) return;
    const { written, after } = this.group;
    this.group = null;
    this.addText(written + after);
  }

  private callsIn(
    section: Section,
    opening: { name?: string },
    certain: boolean,
  ): PromptedCall[] {
    if (!this.tools) return [];
    const known = { names: this.tools, certain };
    const calls = callsIn(section, opening, known);
    return calls.length === 0 || this.isQuoted(section.text) ? [] : calls;
  }

  private isQuoted(text: string): boolean {
    const written = withoutSpaces(text);
    return this.inputs.some((input) => withoutSpaces(input).includes(written));
  }

  private addText(text: string): void {
    this.raw += text;
    this.plain.add(text);
  }

  /** Calls in another format are repeated to the model in the requested one. */
  private rawWith({
    calls,
    written,
    opening,
    after,
    nativeFormat,
  }: CallGroup): string {
    if (nativeFormat)
      return [this.text, ...calls.map(inRequestedFormat)].join('\n').trim();
    const closing = /^\s*`{3,}(?:\s*`{3,})*/.exec(after)?.[0] ?? '';
    return `${this.text}\n${opening.trimStart()}${written}${closing}`.trim();
  }

  /** The answer so far turned out to be thinking, except for text that is already emitted. */
  private treatAsThinking(): void {
    const { group } = this;
    const pending =
      this.plain.drop() + (group ? group.written + group.after : '');
    this.group = null;
    this.ended = false;
    this.lines = new Lines();
    this.raw = this.text;
    this.addThinking(pending);
  }

  private addThinking(text: string): void {
    const more = this.thinking === '' ? text.trimStart() : text;
    if (more === '') return;
    this.thinking += more;
    this.listener?.emitThinking(more);
  }

  private flush(isEnd: boolean): void {
    if (isEnd) this.plain.end(this.group?.before.length);
    else if (!this.group) this.lines.push(this.plain.settle());
    // All of it may yet become calls.
    if (!isEnd && this.text === '' && this.policy.holds(this.raw)) return;
    const more = this.plain.take();
    const text = this.text === '' ? more.trimStart() : more;
    if (text === '') return;
    this.text += text;
    this.listener?.emitText(text);
  }
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}
