import { describeBehind } from '../support/upstream/behind-a-proxy';
import { RetryingProxy } from '../support/upstream/retrying-proxy';

describeBehind('a proxy that does as LiteLLM does', (upstream) =>
  RetryingProxy.start(upstream),
);
