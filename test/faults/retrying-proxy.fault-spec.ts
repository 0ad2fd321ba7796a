import { describeRetryingProxy } from '../support/upstream/retrying-proxy.cases';
import { RetryingProxy } from '../support/upstream/retrying-proxy';

describeRetryingProxy('a proxy that does as LiteLLM does', (upstream) =>
  RetryingProxy.start(upstream),
);
