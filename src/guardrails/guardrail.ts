/** What a guardrail looks at: what the user says, what is answered, what a tool is given, what it gave. */
export type Stage = 'input' | 'output' | 'tool_input' | 'tool_output';

/** Never shown to a model. */
export interface GuardrailContext {
  /** Name of the API key. */
  readonly tenant?: string;
  readonly requestId?: string;
  /** Of a guardrail with `tools`. */
  readonly toolName?: string;
  /** URLs that the model may have seen: consulted in a research or a search, said in the input, or given by a tool. */
  readonly consulted: ReadonlySet<string>;
  /** The request is over, or the guardrail has taken too long. */
  readonly signal: AbortSignal;
}

export interface Checker {
  /**
   * @returns the text that goes on: the same, or with something taken out.
   * @throws Tripwire to refuse it. Anything else that is thrown refuses it too.
   */
  check(text: string, context: GuardrailContext): string | Promise<string>;
}

export interface Guardrail {
  readonly name: string;
  readonly stage: Stage;
  /** Of the stages of tools: their names; `files__*` is all that begin so. */
  readonly tools?: readonly string[];
  readonly check: Checker['check'];
}
