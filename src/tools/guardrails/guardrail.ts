/** What a guardrail checks: the input of the user, the answer, the arguments of a tool, or its result. */
export type Stage = 'input' | 'output' | 'tool_input' | 'tool_output';

/** Never shown to a model. */
export interface GuardrailContext {
  /** Name of the API key. */
  readonly tenant?: string;
  readonly requestId?: string;
  /** Only for a guardrail with `tools`. */
  readonly toolName?: string;
  /**
   * URLs that the model may have seen: consulted by deep research or a web search, contained in the input, or returned by a
   * tool.
   */
  readonly consulted: ReadonlySet<string>;
  /** Aborts when the request ends, or the guardrail exceeds its time limit. */
  readonly signal: AbortSignal;
}

export interface Checker {
  /**
   * @returns the text to pass on: unchanged, or with parts removed.
   * @throws Tripwire to refuse it. Any other error refuses it too.
   */
  check(text: string, context: GuardrailContext): string | Promise<string>;
}

export interface Guardrail {
  readonly name: string;
  readonly stage: Stage;
  /** For the stages of tools: their names; `files__*` matches all with this prefix. */
  readonly tools?: readonly string[];
  readonly check: Checker['check'];
}
