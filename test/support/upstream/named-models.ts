import type { AppConfig } from '../../../src/config/config';

/** The configured chat model, without a request to any endpoint. */
export function namedModels({ upstream }: AppConfig) {
  return { chat: upstream.chatModel, known: async () => undefined };
}
