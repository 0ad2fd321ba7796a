import { Logger } from '@nestjs/common';
import type { AppConfig } from '../../config/config';
import { hostedOffer } from './hosted-tools';
import { profileOf } from '../models/model.profile';
import { UpstreamError } from '../upstream/upstream.error';

const REMEMBERED_MS = 10 * 60 * 1000;
/** An MCP server that the endpoint cannot reach may be back soon. */
const AWAY_MS = 60 * 1000;

interface TurnBody {
  model: string;
  tools?: readonly object[];
}

/** Adds hosted tools to the turns of models that take them, and knows which endpoint has refused them. */
export class HostedToolsFallback {
  private readonly log = new Logger('HostedTools');
  /** Model -> until when it is not offered any. */
  private readonly refused = new Map<string, number>();
  private readonly told = new Set<string>();

  constructor(private readonly config: AppConfig) {}

  /** The very body that was given if nothing is to be added. */
  added<Body extends TurnBody>(body: Body, names: readonly string[]): Body {
    const { model, tools: own = [] } = body;
    if (names.length === 0 || (this.refused.get(model) ?? 0) > Date.now())
      return body;
    const { upstream, hosted } = this.config;
    const profile = profileOf(model, upstream.modelProfiles);
    const { tools, include, left } = hostedOffer(names, profile, hosted);
    for (const name of left) this.tell(`${model} does not take ${name}`);
    if (tools.length === 0) return body;
    return {
      ...body,
      tools: [...own, ...tools],
      ...(include.length > 0 && { include }),
    };
  }

  /** The model has just been asked without them, and answered. */
  note(model: string, error: unknown): void {
    const away = error instanceof UpstreamError && error.fault.status === 424;
    const ms = away ? AWAY_MS : REMEMBERED_MS;
    this.refused.set(model, Date.now() + ms);
    this.tell(`${model} is asked without hosted tools: they were refused`);
  }

  private tell(line: string): void {
    if (this.told.has(line)) return;
    this.told.add(line);
    this.log.warn(line);
  }
}
