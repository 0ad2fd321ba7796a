import type { AppConfig } from '../../src/config/config';
import { LearntModels } from '../../src/llm/models/learnt-models';
import { CompletionClient } from '../../src/llm/single-attempt/completion.client';
import { TokenCounter } from '../../src/llm/tokens/token-counter';
import { UpstreamClient } from '../../src/llm/upstream/upstream.client';
import type { CompletionPort } from '../../src/research/agent/agent-ports';
import { CallLimit } from '../trace';

export type ModelRequest = Parameters<CompletionPort['complete']>[0];
export type ModelReply = Awaited<ReturnType<CompletionPort['complete']>>;

/** The models of an endpoint, as the agent calls them. */
export class Endpoint implements CompletionPort {
  private readonly upstream: UpstreamClient;
  private readonly client: CompletionClient;

  constructor(config: AppConfig) {
    this.upstream = new UpstreamClient(config);
    this.client = new CompletionClient(
      this.upstream,
      new LearntModels(),
      new TokenCounter(),
      config,
    );
  }

  complete(request: ModelRequest): Promise<ModelReply> {
    return this.client.complete(request);
  }

  close(): Promise<void> {
    return this.upstream.onApplicationShutdown();
  }
}

/** Counts the calls and makes none beyond the limit. */
export class CountedModel implements CompletionPort {
  made = 0;

  constructor(
    private readonly model: CompletionPort,
    private readonly most: number,
  ) {}

  complete(request: ModelRequest): Promise<ModelReply> {
    if (this.made >= this.most) return Promise.reject(new CallLimit());
    this.made += 1;
    return this.model.complete(request);
  }
}
