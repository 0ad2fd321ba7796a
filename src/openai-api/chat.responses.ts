import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerIdentity } from '../auth/caller';
import type { Scopes } from '../auth/scopes';

/** Answers for models that chat, which a room above may provide. */
export abstract class ChatResponses {
  /** The names of those that a key with these scopes may use. */
  abstract models(scopes: Scopes): Promise<readonly string[]>;

  /** Answers the create of a response whose model is one of them. */
  abstract create(
    body: object,
    caller: CallerIdentity,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void>;
}
