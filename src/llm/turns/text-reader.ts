import type { ToolDescription } from '../../platform/message/tool-description';
import type { DeltaEmitter } from './delta-emitter';

/** Takes out of the text of one turn, as it arrives, what is no text: thinking, and calls of tools. */
export interface TextReader {
  push(text: string): void;
  end(): ReadText;
}

export interface ReadText {
  text: string;
  thinking: string;
  calls: readonly { name: string; arguments: string }[];
}

/**
 * @param tools those that may be called.
 * @param inputs the texts of users, documents and tools: a call that occurs in them is a quotation.
 * @param listener receives text and thinking as soon as it is clear what they are.
 */
export type NewTextReader = (
  tools: readonly ToolDescription[],
  inputs: readonly string[],
  listener: Pick<DeltaEmitter, 'emitText' | 'emitThinking'>,
) => TextReader;
