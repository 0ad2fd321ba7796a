import type { AppConfig } from '../../../src/config/config';

/** The chat model of the configuration, without asking any endpoint. */
export function namedModels({ upstream }: AppConfig) {
  return { chat: upstream.chatModel, known: async () => undefined };
}
