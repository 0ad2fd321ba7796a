import { callsIn, type PromptedCall } from './answer.calls';
import { AnswerText } from './answer.text';
import { openingIn } from './answer.marks';
import { callText } from './prompt.messages';
import { type Section, Sections } from './answer.sections';
import { areTogether, Lines, verdictOn } from './answer.quotations';
import { isObject } from '../../message/call.arguments';

export interface PromptedAnswer {
  calls: PromptedCall[];
  /** What was said besides the calls. */
  text: string;
  /** What was said, calls included. */
  said: string;
  /** From `<think>` blocks: in neither of the others. */
  thinking: string;
}

/** Where the answer goes while it comes. */
export interface PromptedListener {
  say(text: string): void;
  think(words: string): void;
}

/** Calls in a row, and what came after them. */
interface Run {
  calls: PromptedCall[];
  /** As written, with what stands between them. */
  written: string;
  after: string;
  at: { fenced: boolean; tagged: boolean; inLine: boolean };
  /** What the model wrote before it, as far as that is not told yet. */
  before: string;
  /** What opened it. */
  opening: string;
  /** In a form of the model's own. */
  foreign: boolean;
  /** It is clear by now that these are calls. */
  certain: boolean;
}

/**
 * Reads the answer of a model that was told in the prompt how to call tools, as it comes. A call stands by itself: in a
 * line, a fence or marks of its own. One within a sentence or a longer sample of code is a quotation, and so is what the
 * model was told by others in the same words, blanks aside. What follows a call is dropped: the model cannot know yet what
 * the call gives. What may yet turn out to be a call is kept back until that is clear.
 */
export class AnswerParser {
  private readonly sections: Sections;
  private run: Run | null = null;
  private ended = false;
  private said = '';
  private text = '';
  private thinking = '';
  private readonly beside = new AnswerText();
  private lines = new Lines();

  /**
   * @param tools the names of those that there are; null if the model was told of none, and therefore calls none.
   * @param heard what users, documents and tools said.
   */
  constructor(
    private readonly tools: ReadonlySet<string> | null,
    private readonly heard: readonly string[] = [],
    private readonly listener?: PromptedListener,
  ) {
    this.sections = new Sections([...(tools ?? [])]);
  }

  push(chunk: string): void {
    this.take(this.sections.push(chunk));
    this.release(false);
  }

  end(): PromptedAnswer {
    this.take(this.sections.end());
    this.decide(true);
    this.release(true);
    const { run, text } = this;
    const thinking = this.thinking.trim();
    if (!run) return { calls: [], text, said: this.said.trim(), thinking };
    return { calls: run.calls, text, said: this.saidWith(run), thinking };
  }

  private take(sections: readonly Section[]): void {
    for (const section of sections) {
      const { kind, text } = section;
      if (kind === 'thinking') this.think(text);
      else if (kind === 'thought') this.wasThought();
      else if (this.ended) continue;
      else if (kind !== 'text') this.takeCall(section);
      else if (this.run) {
        this.run.after += text;
        this.decide(false);
      } else this.add(text);
    }
  }

  private takeCall(section: Section): void {
    if (this.run && this.join(this.run, section)) return;
    if (this.run?.certain) {
      this.ended = true;
      return;
    }
    this.refuse();
    this.lines.push(this.beside.settle());
    const opening = openingIn(this.beside.kept);
    const { before, tagged } = opening;
    const admitted = this.lines.admits(opening);
    const isAll = tagged && this.lines.empty && before.trim() === '';
    const calls = admitted ? this.callsIn(section, opening, isAll) : [];
    if (!admitted || calls.length === 0) return this.add(section.text);
    this.run = {
      calls,
      written: section.text,
      after: '',
      before,
      opening: this.beside.kept.slice(before.length),
      at: { ...admitted, tagged, inLine: this.lines.inLine(before) },
      foreign:
        tagged ||
        !section.text.includes('tool_name') ||
        this.beside.kept.includes('tool_code'),
      certain: false,
    };
  }

  /** Whether it is one more of these calls. */
  private join(run: Run, section: Section): boolean {
    const opening = openingIn(run.after);
    if (!areTogether(opening.before)) return false;
    const calls = this.callsIn(section, opening, run.certain && opening.tagged);
    run.calls.push(...calls);
    if (calls.length === 0) return false;
    run.foreign ||= opening.tagged || !section.text.includes('tool_name');
    run.written += run.after + section.text;
    run.after = '';
    return true;
  }

  private decide(isEnd: boolean): void {
    const { run } = this;
    if (!run || run.certain) return;
    const verdict = verdictOn(run.after, run.at, isEnd);
    if (verdict === 'quotation') this.refuse();
    run.certain = verdict === 'call';
  }

  /** What was taken for calls so far is a text. */
  private refuse(): void {
    if (!this.run) return;
    const { written, after } = this.run;
    this.run = null;
    this.add(written + after);
  }

  private callsIn(
    section: Section,
    opening: { name?: string },
    certain: boolean,
  ): PromptedCall[] {
    if (!this.tools) return [];
    const offered = { names: this.tools, certain };
    const calls = callsIn(section, opening, offered);
    if (calls.length === 0) return [];
    const words = withoutBlanks(section.text);
    return this.heard.some((told) => withoutBlanks(told).includes(words))
      ? []
      : calls;
  }

  private add(text: string): void {
    this.said += text;
    this.beside.add(text);
  }

  /** Calls in a form of the model's own are repeated to it in the one that it is asked for. */
  private saidWith({ calls, written, opening, after, foreign }: Run): string {
    if (foreign) return [this.text, ...calls.map(inForm)].join('\n').trim();
    const closing = /^\s*`{3,}(?:\s*`{3,})*/.exec(after)?.[0] ?? '';
    return `${this.text}\n${opening.trimStart()}${written}${closing}`.trim();
  }

  /** What has been told as a text by now stays one. */
  private wasThought(): void {
    const { run } = this;
    const kept = this.beside.drop() + (run ? run.written + run.after : '');
    this.run = null;
    this.ended = false;
    this.lines = new Lines();
    this.said = this.text;
    this.think(kept);
  }

  private think(words: string): void {
    const more = this.thinking === '' ? words.trimStart() : words;
    if (more === '') return;
    this.thinking += more;
    this.listener?.think(more);
  }

  private release(isEnd: boolean): void {
    if (isEnd) this.beside.end(this.run?.before.length);
    else if (!this.run) this.lines.push(this.beside.settle());
    const more = this.beside.take();
    const text = this.text === '' ? more.trimStart() : more;
    if (text === '') return;
    this.text += text;
    this.listener?.say(text);
  }
}

function inForm({ name, arguments: args, fault }: PromptedCall): string {
  if (fault) return args;
  const parsed = JSON.parse(args) as unknown;
  return isObject(parsed)
    ? callText({ type: 'function', function: { name, arguments: parsed } })
    : args;
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}
