import { describeRetryingProxy } from '../support/upstream/retrying-proxy.cases';
import { LiteLlm } from './litellm';
import { describePythonClient } from './mcp-client.cases';
import { describeSondeUpstream } from './sonde-upstream.cases';

describeRetryingProxy('LiteLLM as it is', (upstream, key) =>
  LiteLlm.start(upstream, key),
);

// In this file, since all use what is installed for it.
describePythonClient();
describeSondeUpstream();
