import type { Scopes } from '../auth/scopes';

/** The models of `/v1/chat/completions`, which a room above may provide. */
export abstract class ChatModels {
  /** The names of those that a key with these scopes may use. */
  abstract models(scopes: Scopes): Promise<readonly string[]>;
}
