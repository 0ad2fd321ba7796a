import { isObject } from '../../platform/message/call-arguments';
import type { PromptedCall } from './answer-calls';
import { type Verdict, verdictOn, verdictOnWhole } from './answer-quotations';
import { callText } from './prompt-messages';
import type { OfferedTools } from './written/offered-tools';
import { mayBecomeCalls, writtenCalls } from './written/written-calls';

/** Small models answer with the schema that describes a tool or its result. */
const ECHO = 'it is the schema of the tool and no call of it';

/** What counts as a call in the text of an answer. */
export interface CallPolicy {
  /** @param isMarked between marks for calls, or nothing is before them. */
  allows(calls: readonly PromptedCall[], isMarked: boolean): boolean;
  /** Of a group of calls, by the text after it. */
  verdictOn(
    after: string,
    at: Parameters<typeof verdictOn>[1],
    isEnd: boolean,
  ): Verdict;
  /** The calls of an answer that is nothing else. */
  callsOfWhole(answer: string): PromptedCall[];
  /** Whether an answer that begins like this is held back until it is clear what it is. */
  holds(start: string): boolean;
}

/** What was asked for in the prompt: any call in the requested format, and in the others what names a tool. */
export class AnyCall implements CallPolicy {
  /** @param offered with them, an answer that is nothing but calls of these tools is read in any notation. */
  constructor(protected readonly offered?: OfferedTools) {}

  allows(calls: readonly PromptedCall[], _isMarked: boolean): boolean {
    return calls.length > 0;
  }

  verdictOn(
    after: string,
    at: Parameters<typeof verdictOn>[1],
    isEnd: boolean,
  ) {
    return verdictOn(after, at, isEnd);
  }

  callsOfWhole(answer: string): PromptedCall[] {
    const { offered } = this;
    if (!offered) return [];
    const calls = writtenCalls(answer, offered) ?? [];
    const name = calls.length === 0 ? offered.echoed(answer) : undefined;
    if (name !== undefined)
      return [{ name, arguments: answer.trim(), fault: ECHO }];
    return calls.map(({ name, arguments: args }) => ({
      name,
      arguments: JSON.stringify(args),
    }));
  }

  holds(start: string): boolean {
    const { offered } = this;
    return (
      offered !== undefined &&
      (mayBecomeCalls(start, offered) || offered.echoed(start) !== undefined)
    );
  }
}

/**
 * The model has function calling, and was asked for no call in its text: only calls of offered tools count, with arguments
 * that fit, between marks for calls or as the whole answer.
 */
export class StrayCall extends AnyCall {
  constructor(protected override readonly offered: OfferedTools) {
    super(offered);
  }

  override allows(calls: readonly PromptedCall[], isMarked: boolean): boolean {
    const fits = ({ name, arguments: args, fault }: PromptedCall) =>
      fault === undefined && this.offered.fit(name, args) !== null;
    return isMarked && calls.length > 0 && calls.every(fits);
  }

  override verdictOn(
    after: string,
    at: Parameters<typeof verdictOn>[1],
    isEnd: boolean,
  ): Verdict {
    return at.tagged
      ? verdictOn(after, at, isEnd)
      : verdictOnWhole(after, isEnd);
  }
}

/** A call as it is repeated to the model. */
export function inRequestedFormat({
  name,
  arguments: args,
  fault,
}: PromptedCall): string {
  if (fault) return args;
  const parsed = JSON.parse(args) as unknown;
  return isObject(parsed)
    ? callText({ type: 'function', function: { name, arguments: parsed } })
    : args;
}
