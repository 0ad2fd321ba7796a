import { describeBehind } from '../support/behind-a-proxy';
import { LiteLlm } from './litellm';

describeBehind('LiteLLM as it is', (upstream, key) =>
  LiteLlm.start(upstream, key),
);
