import { describeBehind } from '../support/behind-a-proxy';
import { RetryingProxy } from '../support/retrying-proxy';

describeBehind('a proxy that does as LiteLLM does', (upstream) =>
  RetryingProxy.start(upstream),
);
