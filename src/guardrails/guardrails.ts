import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { covers } from '../config/name-pattern';
import { builtInGuardrails } from './built-in';
import { textsOf, withMessageTexts, withTexts } from './guarded.texts';
import type { Guardrail, GuardrailContext, Stage } from './guardrail';
import { GuardrailTripped } from './guardrail.tripped';
import { SAFE_TEXT, Tripwire } from './tripwire';

/** For all texts of one value, each guardrail anew. */
const TIME_LIMIT_MS = 10_000;

/**
 * Shows texts to the guardrails, each what the one before has left. Values are never changed, but copied where a text
 * has changed; the names of objects are shown to none.
 *
 * Every method throws `GuardrailTripped`, or the reason of the signal of the context.
 */
@Injectable()
export class Guardrails {
  private readonly log = new Logger('Guardrails');
  private readonly guardrails: Guardrail[] = [];

  constructor(config: AppConfig) {
    builtInGuardrails(config).forEach((one) => this.register(one));
  }

  /** @throws Error with a sentence that names the guardrail and the mend. */
  register(guardrail: Guardrail): void {
    const { name, stage } = guardrail;
    if (this.guardrails.some((o) => o.name === name && o.stage === stage)) {
      throw new Error(
        `Two guardrails of the stage ${stage} are named "${name}": rename one of them.`,
      );
    }
    this.guardrails.push(guardrail);
  }

  /** Nobody looks at anything. */
  get isEmpty(): boolean {
    return this.guardrails.length === 0;
  }

  /** Whether an answer has to be whole before any of it is told. */
  get guardsOutput(): boolean {
    return this.of('output').length > 0;
  }

  /** Whether the calls of a tool are looked at. */
  guardsTool(toolName: string): boolean {
    return (['tool_input', 'tool_output'] as const).some(
      (stage) => this.of(stage, toolName).length > 0,
    );
  }

  /** @param value messages, parts, a request or a text. */
  input<T>(value: T, context: GuardrailContext): Promise<T> {
    return this.guarded('input', value, context, withMessageTexts);
  }

  /** @param value as for `input`. */
  output<T>(value: T, context: GuardrailContext): Promise<T> {
    return this.guarded('output', value, context, withMessageTexts);
  }

  toolInput<T>(
    toolName: string,
    args: T,
    context: GuardrailContext,
  ): Promise<T> {
    const ofTool = { ...context, toolName };
    return this.guarded('tool_input', args, ofTool, withTexts);
  }

  /** @param contents parts, as `ToolResult` has them. */
  toolOutput<T>(
    toolName: string,
    contents: T,
    context: GuardrailContext,
  ): Promise<T> {
    const ofTool = { ...context, toolName };
    return this.guarded('tool_output', contents, ofTool, withMessageTexts);
  }

  private of(stage: Stage, toolName = ''): Guardrail[] {
    return this.guardrails.filter(
      (one) =>
        one.stage === stage &&
        (!one.tools || one.tools.some((pattern) => covers(pattern, toolName))),
    );
  }

  private async guarded<T>(
    stage: Stage,
    value: T,
    context: GuardrailContext,
    inAll: typeof withTexts,
  ): Promise<T> {
    let left = value;
    for (const guardrail of this.of(stage, context.toolName)) {
      const texts = textsOf(left, inAll);
      const checked = await this.show(guardrail, texts, context);
      left = inAll(left, (text) => checked.get(text)!);
    }
    return left;
  }

  /** All texts at once. A guardrail that fails, or says nothing in time, has refused. */
  private async show(
    { name, stage, check }: Guardrail,
    texts: string[],
    context: GuardrailContext,
  ): Promise<Map<string, string>> {
    context.signal.throwIfAborted();
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), TIME_LIMIT_MS);
    const signal = AbortSignal.any([context.signal, over.signal]);
    try {
      const checked = texts.map(async (text) => {
        const given: unknown = await check(text, { ...context, signal });
        if (typeof given !== 'string') throw new Error('It returned no text.');
        return [text, given] as const;
      });
      return new Map(await before(signal, Promise.all(checked)));
    } catch (error) {
      context.signal.throwIfAborted();
      const refused = error instanceof Tripwire;
      if (!refused) {
        this.log.warn(`The guardrail ${name} failed (${stage})`);
        this.log.debug(error);
      }
      const safeText = refused ? error.safeText : SAFE_TEXT;
      throw new GuardrailTripped(name, stage, safeText, context.toolName);
    } finally {
      clearTimeout(timer);
      over.abort();
    }
  }
}

/** @throws the reason of the signal, if that comes first. */
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
