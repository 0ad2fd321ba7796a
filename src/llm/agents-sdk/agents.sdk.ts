export type AgentsSdk = typeof import('@openai/agents');

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
  return sdk;
}
