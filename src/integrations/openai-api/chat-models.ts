import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerIdentity } from '../../platform/auth/caller';
import type { Scopes } from '../../platform/auth/scopes';

/** A request for a response or a completion, as it came. */
export interface ChatCall {
  readonly body: unknown;
  readonly caller: CallerIdentity;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The chat models, which a room above may provide. */
export abstract class ChatModels {
  /** The names of those that a key with these scopes may use. */
  abstract models(scopes: Scopes): Promise<readonly string[]>;

  /** Answers a request for a response of one of them. @returns the reply, unless it has been sent. @throws AppError */
  abstract respond(call: ChatCall): Promise<object | undefined>;

  /** The same of a completion. */
  abstract complete(call: ChatCall): Promise<object | undefined>;
}
