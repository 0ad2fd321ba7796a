import { callsIn, type PromptedCall } from './prompt.calls';
import { TextBeside } from './prompt.fences';
import { type Section, Sections } from './prompt.sections';

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

/**
 * Reads the answer of a model that was told in the prompt how to call tools, as it comes. What may yet turn out to be a
 * call, or the fence or the blanks around one, is kept back until that is clear. What the model was told by others in the
 * same words, blanks aside, is a quotation and never a call.
 */
export class PromptedReader {
  private readonly sections = new Sections();
  private calls: PromptedCall[] = [];
  private said = '';
  private text = '';
  private thinking = '';
  private readonly beside = new TextBeside();

  /**
   * @param tools the names of those that there are; null if the model was told of none, and therefore calls none.
   * @param heard what users, documents and tools said.
   */
  constructor(
    private readonly tools: ReadonlySet<string> | null,
    private readonly heard: readonly string[] = [],
    private readonly listener?: PromptedListener,
  ) {}

  push(chunk: string): void {
    this.take(this.sections.push(chunk));
    this.release(false);
  }

  end(): PromptedAnswer {
    this.take(this.sections.end());
    this.release(true);
    const { calls, text } = this;
    const [said, thinking] = [this.said.trim(), this.thinking.trim()];
    return { calls, text, said, thinking };
  }

  private take(sections: readonly Section[]): void {
    for (const section of sections) {
      const { kind, text } = section;
      if (kind === 'thinking') this.think(text);
      else if (kind === 'thought') this.wasThought();
      else {
        this.said += text;
        const calls = this.callsIn(section);
        this.calls.push(...calls);
        if (calls.length > 0) this.beside.addCall();
        else this.beside.add(text);
      }
    }
  }

  private callsIn(section: Section): PromptedCall[] {
    if (!this.tools) return [];
    const calls = callsIn(section, this.tools);
    if (calls.length === 0) return [];
    const words = withoutBlanks(section.text);
    return this.heard.some((told) => withoutBlanks(told).includes(words))
      ? []
      : calls;
  }

  /** What has been told as a text by now stays one. */
  private wasThought(): void {
    this.calls = [];
    this.said = this.text;
    this.think(this.beside.drop());
  }

  private think(words: string): void {
    const more = this.thinking === '' ? words.trimStart() : words;
    if (more === '') return;
    this.thinking += more;
    this.listener?.think(more);
  }

  private release(isEnd: boolean): void {
    const more = this.beside.take(isEnd);
    const text = this.text === '' ? more.trimStart() : more;
    if (text === '') return;
    this.text += text;
    this.listener?.say(text);
  }
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}
