import { Injectable } from '@nestjs/common';
import type { ModelProfile } from '../../llm/models/model-profile';
import { CompletionsProtocol } from './completions/completions-protocol';
import type { ResearchProtocol } from './research-protocol';
import { ResponsesProtocol } from './responses/responses-protocol';

/** The protocols over which research is purchased and followed. */
@Injectable()
export class ResearchProtocols {
  /** In the order in which they are asked for an id. The last one owns all that is left. */
  private readonly all: readonly ResearchProtocol[];

  constructor(
    private readonly responses: ResponsesProtocol,
    private readonly completions: CompletionsProtocol,
  ) {
    this.all = [completions, responses];
  }

  /** The protocol that a model is called over first. */
  of(profile: ModelProfile): ResearchProtocol {
    return profile.completions ? this.completions : this.responses;
  }

  /** The protocol to try when the endpoint refuses another one; undefined: there is none. */
  after(protocol: ResearchProtocol): ResearchProtocol | undefined {
    return protocol === this.responses ? this.completions : undefined;
  }

  /** The protocol of a run that was purchased. */
  owning(upstreamId: string): ResearchProtocol {
    return this.all.find((protocol) => protocol.owns(upstreamId))!;
  }
}
