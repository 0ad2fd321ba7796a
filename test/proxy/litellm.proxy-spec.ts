import { describeRetryingProxy } from '../support/upstream/retrying-proxy.cases';
import { describeBareRefusals } from './bare-refusals.cases';
import { LiteLlm, VERSIONS } from './litellm';
import { describePythonClient } from './mcp-client.cases';
import { describeSondeUpstream } from './sonde-upstream.cases';

for (const version of VERSIONS) {
  describeRetryingProxy(`LiteLLM ${version} as it is`, (upstream, key) =>
    LiteLlm.start(upstream, key, version),
  );
  describeBareRefusals(version);
  describeSondeUpstream(version);
}

// In this file, since all use what is installed for it.
describePythonClient();
