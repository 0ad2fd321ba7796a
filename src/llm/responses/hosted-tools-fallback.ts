import { Logger } from '@nestjs/common';
import type { AppConfig } from '../../config/config';
import { hostedToolset } from './hosted-toolset';
import { profileOf } from '../models/model-profile';
import { UpstreamError } from '../upstream/upstream-error';

const REFUSED_MS = 10 * 60 * 1000;
/** An MCP server that the endpoint could not reach may be available again soon. */
const UNREACHABLE_MS = 60 * 1000;

interface TurnBody {
  model: string;
  tools?: readonly object[];
}

/** Adds hosted tools to the turns of models that accept them, and stops where the endpoint refused them. */
export class HostedToolsFallback {
  private readonly log = new Logger('HostedTools');
  /** Model -> until when no hosted tools are sent. */
  private readonly refused = new Map<string, number>();
  private readonly logged = new Set<string>();

  constructor(private readonly config: AppConfig) {}

  /** Returns the same object if nothing is added. */
  withHosted<Body extends TurnBody>(
    body: Body,
    names: readonly string[],
  ): Body {
    const { model, tools: own = [] } = body;
    if (names.length === 0 || (this.refused.get(model) ?? 0) > Date.now())
      return body;
    const { upstream, hosted } = this.config;
    const profile = profileOf(model, upstream.modelProfiles);
    const { tools, include, unsupported } = hostedToolset(
      names,
      profile,
      hosted,
    );
    for (const name of unsupported)
      this.warnOnce(`${model} does not support ${name}`);
    if (tools.length === 0) return body;
    return {
      ...body,
      tools: [...own, ...tools],
      ...(include.length > 0 && { include }),
    };
  }

  /** Called when a turn succeeded without the hosted tools that were refused with `error`. */
  noteRefusal(model: string, error: unknown): void {
    const unreachable =
      error instanceof UpstreamError && error.fault.status === 424;
    const ms = unreachable ? UNREACHABLE_MS : REFUSED_MS;
    this.refused.set(model, Date.now() + ms);
    this.warnOnce(
      `${model} is called without hosted tools: the endpoint refused them`,
    );
  }

  private warnOnce(line: string): void {
    if (this.logged.has(line)) return;
    this.logged.add(line);
    this.log.warn(line);
  }
}
