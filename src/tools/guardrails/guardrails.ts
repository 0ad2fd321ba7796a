import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { covers } from '../../config/name-pattern';
import { builtInGuardrails } from './built-in-guardrails';
import { textsOf, withMessageTexts, withTexts } from './nested-texts';
import type { Guardrail, GuardrailContext, Stage } from './guardrail';
import { GuardrailTripped, SAFE_TEXT, Tripwire } from './tripwire';

/** Per guardrail, for all texts of one value. */
const TIME_LIMIT_MS = 10_000;

/**
 * Passes texts through the guardrails in order, to each the output of the previous one. Values are never modified: a
 * changed text goes into a copy. The keys of objects are not checked.
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

  /** @throws Error whose message names the guardrail and the remedy. */
  register(guardrail: Guardrail): void {
    const { name, stage } = guardrail;
    if (this.guardrails.some((o) => o.name === name && o.stage === stage)) {
      throw new Error(
        `Two guardrails of the stage ${stage} are named "${name}": rename one of them.`,
      );
    }
    this.guardrails.push(guardrail);
  }

  /** No guardrail is registered. */
  get isEmpty(): boolean {
    return this.guardrails.length === 0;
  }

  /** Whether what the user says is checked. */
  get guardsInput(): boolean {
    return this.of('input').length > 0;
  }

  /** Whether an answer must be complete before any of it is sent. */
  get guardsOutput(): boolean {
    return this.of('output').length > 0;
  }

  /** Whether calls of the tool are checked. */
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
    let current = value;
    for (const guardrail of this.of(stage, context.toolName)) {
      const texts = textsOf(current, inAll);
      const checked = await this.check(guardrail, texts, context);
      current = inAll(current, (text) => checked.get(text)!);
    }
    return current;
  }

  /** Checks all texts concurrently. A guardrail that fails or exceeds its time limit counts as a refusal. */
  private async check(
    guardrail: Guardrail,
    texts: string[],
    context: GuardrailContext,
  ): Promise<Map<string, string>> {
    const { name, stage } = guardrail;
    context.signal.throwIfAborted();
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), TIME_LIMIT_MS);
    const signal = AbortSignal.any([context.signal, timeout.signal]);
    try {
      const checked = texts.map(async (text) => {
        const returned: unknown = await guardrail.check(text, {
          ...context,
          signal,
        });
        if (typeof returned !== 'string')
          throw new Error('It returned no text.');
        return [text, returned] as const;
      });
      return new Map(await abortable(signal, Promise.all(checked)));
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
      timeout.abort();
    }
  }
}

/** Rejects with the reason of the signal if it aborts first. */
async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
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
