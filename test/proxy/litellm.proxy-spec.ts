import { describeRetryingProxy } from '../support/upstream/retrying-proxy.cases';
import { LiteLlm } from './litellm';

describeRetryingProxy('LiteLLM as it is', (upstream, key) =>
  LiteLlm.start(upstream, key),
);
