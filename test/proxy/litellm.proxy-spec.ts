import { describeBehind } from '../support/upstream/behind-a-proxy';
import { LiteLlm } from './litellm';

describeBehind('LiteLLM as it is', (upstream, key) =>
  LiteLlm.start(upstream, key),
);
