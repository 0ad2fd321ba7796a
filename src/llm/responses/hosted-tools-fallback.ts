import { Logger } from '@nestjs/common';
import type { AppConfig } from '../../config/config';
import { hostedToolset } from './hosted-toolset';
import type { LearntModels } from '../models/learnt-models';
import { profileOf } from '../models/model-profile';
import { UpstreamError } from '../upstream/upstream-error';

const REFUSED = 'chats without hosted tools';
/** An MCP server that the endpoint could not reach may be available again soon. */
const UNREACHABLE_MS = 60 * 1000;

interface TurnBody {
  model: string;
  tools?: readonly object[];
}

/** Adds hosted tools to the turns of models that accept them, and stops where the endpoint refused them. */
export class HostedToolsFallback {
  private readonly log = new Logger('HostedTools');
  private readonly logged = new Set<string>();

  constructor(
    private readonly config: AppConfig,
    private readonly learnt: LearntModels,
  ) {}

  /** Returns the same object if nothing is added. */
  withHosted<Body extends TurnBody>(
    body: Body,
    names: readonly string[],
  ): Body {
    const { model, tools: own = [] } = body;
    if (names.length === 0 || this.learnt.knows(model, REFUSED)) return body;
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
    const ms = unreachable ? UNREACHABLE_MS : undefined;
    this.learnt.learn(model, REFUSED, { ms });
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
