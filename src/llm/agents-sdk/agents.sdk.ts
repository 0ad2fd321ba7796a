import type { Runner } from '@openai/agents';

export type AgentsSdk = typeof import('@openai/agents') & {
  /** The one runner of this process: what a run needs of its own goes with its options. */
  readonly runner: Runner;
};

let loading: Promise<AgentsSdk> | undefined;

/**
 * The OpenAI Agents SDK, loaded when it is first asked for: that takes a third of a second, which no start shall wait for.
 * What failed is tried again when it is asked for again.
 */
export async function agentsSdk(): Promise<AgentsSdk> {
  loading ??= load();
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

async function load(): Promise<AgentsSdk> {
  const sdk = await import('@openai/agents');
  // Its traces hold what was said, and go to OpenAI, whichever endpoint is used.
  sdk.setTracingDisabled(true);
  const runner = new sdk.Runner({
    tracingDisabled: true,
    toolNotFoundBehavior: 'return_error_to_model',
  });
  return { ...sdk, runner };
}
