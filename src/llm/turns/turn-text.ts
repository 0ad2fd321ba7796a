import type { MessageDelta } from '../../platform/message/delta';
import type { DeltaEmitter } from './delta-emitter';
import type { ModelRequest } from './model.types';
import { endBeforeLoop, LoopWatch } from './repetition';
import type { ReadText, TextReader } from './text-reader';

/** Receives the deltas of one attempt at a turn. */
export interface DeltaSink {
  /** Returns false once text or thinking repeat themselves without end: the rest of the turn is not worth waiting for. */
  emit(delta: MessageDelta): boolean;
}

type Wishes = Pick<
  ModelRequest,
  'readText' | 'tools' | 'toolChoice' | 'sampling' | 'parallelCalls'
>;

/** What the text of a turn is. */
export interface TurnReply extends ReadText {
  /** It repeated itself, and ends before that. */
  cut: boolean;
}

/** Reads the text of one turn, of which several attempts may be made. */
export class TurnText {
  private reader?: TextReader;
  private pushed = '';

  /** @param input of the request, in the form of its protocol. */
  constructor(
    private readonly wishes: Wishes,
    private readonly input: readonly object[],
    private readonly emitter: DeltaEmitter,
  ) {}

  /** Begins another attempt. */
  sink(): DeltaSink {
    const { emitter } = this;
    const reader = this.begin();
    const [texts, thoughts] = [new LoopWatch(), new LoopWatch()];
    return {
      emit: ({ contents = [], thinking = '' }) => {
        emitter.emitThinking(thinking);
        for (const { text = '', image } of contents) {
          if (reader) this.push(reader, text);
          else {
            this.pushed += text;
            emitter.emitText(text);
          }
          if (image) emitter.emitImage(image);
          if (texts.add(text)) return false;
        }
        return !thoughts.add(thinking);
      },
    };
  }

  /**
   * What the text of the reply is; null if that is nothing but text.
   * @param text of the whole reply, whether it was streamed or not.
   */
  end(text: string): TurnReply | null {
    const cutAt = this.pushed === '' ? endBeforeLoop(text) : undefined;
    const whole = text.slice(0, cutAt);
    const cut = cutAt !== undefined;
    const reader = this.reader ?? this.begin();
    if (!reader)
      return cut ? { text: whole, thinking: '', calls: [], cut } : null;
    const isWhole = this.pushed.trim() === whole.trim();
    const continues = whole.startsWith(this.pushed);
    if (!isWhole && continues)
      this.push(reader, whole.slice(this.pushed.length));
    const { calls, ...read } = reader.end();
    // Not what was streamed: the emitter compares them.
    if (!isWhole && !continues) return null;
    const isText =
      calls.length === 0 && !read.thinking && read.text.trim() === text.trim();
    const most = this.wishes.parallelCalls === false ? 1 : undefined;
    return isText ? null : { ...read, calls: calls.slice(0, most), cut };
  }

  private begin(): TextReader | undefined {
    const { readText, tools, toolChoice, sampling } = this.wishes;
    // An answer that is to be JSON is no call.
    const mayCall = toolChoice !== 'none' && !sampling?.format;
    const inputs = mayCall && tools.length > 0 ? inputTexts(this.input) : [];
    this.pushed = '';
    this.reader = readText?.(mayCall ? tools : [], inputs, this.emitter);
    return this.reader;
  }

  private push(reader: TextReader, text: string): void {
    this.pushed += text;
    reader.push(text);
  }
}

/** All texts in the input of a request that the model did not write. */
function inputTexts(items: readonly object[]): string[] {
  const isOwn = ({ role, type }: { role?: unknown; type?: unknown }) =>
    role === 'assistant' || role === 'system' || type === 'function_call';
  return items.filter((item) => !isOwn(item)).flatMap((item) => textsOf(item));
}

const MAX_DEPTH = 6;

function textsOf(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH)
    return [];
  return Object.values(value).flatMap((one) => textsOf(one, depth + 1));
}
