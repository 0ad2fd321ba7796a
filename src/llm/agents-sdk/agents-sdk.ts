import type { Runner } from '@openai/agents';

export type AgentsSdk = typeof import('@openai/agents') & {
  /** The only runner of this process: options that differ between runs are passed to each run. */
  readonly runner: Runner;
};

let loading: Promise<AgentsSdk> | undefined;

/**
 * The OpenAI Agents SDK, loaded on first use: loading takes a third of a second, which no start waits for. A failed load is
 * retried on the next use.
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
  // Its traces contain conversations and are sent to OpenAI, whichever endpoint is configured.
  sdk.setTracingDisabled(true);
  const runner = new sdk.Runner({
    tracingDisabled: true,
    toolNotFoundBehavior: 'return_error_to_model',
  });
  return { ...sdk, runner };
}
