import { isUnsupported } from '../../../llm/models/refusals';
import type { ModelProfile } from '../../../llm/models/model-profile';
import {
  omit,
  overlongLimit,
  refusedParameter,
} from '../../../llm/models/refused-parameters';
import type { LearntModels } from '../../../llm/models/learnt-models';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import type { ResearchArguments } from '../../arguments/research-arguments';
import { withFormatInWords } from '../research.prompt';
import {
  type CreateRequest,
  type ResearchProtocol,
  WITHOUT,
} from '../research-protocol';
import type { ResearchProtocols } from '../protocol-registry';

/** Parameters and protocols refused in one purchase; each costs one request that the endpoint refuses before it begins anything. */
const MAX_REFUSALS = 10;
const FORMATS = ['text', 'text.format', 'response_format'];
const WEB = /^(tools(\.web_search(_preview)?)?|web_search_options)$/;

type Request = Omit<CreateRequest, 'profile'>;

/** Remembers for ten minutes which protocol and parameters an endpoint refused, so that later purchases begin without them. */
export class PurchaseRequests {
  constructor(
    private readonly protocols: ResearchProtocols,
    private readonly learnt: LearntModels,
  ) {}

  of(profile: ModelProfile, model: string): PurchaseRequest {
    const request = new PurchaseRequest(
      profile,
      this.protocols.of(profile),
      this.protocols,
    );
    const refused = this.learnt.withPrefix(model, WITHOUT);
    if (refused.includes(request.protocol.path)) request.changeProtocol();
    request.omitted.push(...refused.filter((path) => !path.startsWith('/')));
    return request;
  }

  /** Called after a purchase: the next one begins in the form that succeeded. */
  remember(model: string, { newlyRefused }: PurchaseRequest): void {
    for (const path of newlyRefused) this.learnt.learn(model, WITHOUT + path);
  }
}

/** The protocol and parameters of one purchase. Parameters that the endpoint refuses are left out one after the other. */
export class PurchaseRequest {
  /** Paths of parameters. */
  readonly omitted: string[] = [];
  /** Parameters, and paths of protocols, that were refused during this purchase. */
  readonly newlyRefused: string[] = [];

  constructor(
    readonly profile: ModelProfile,
    public protocol: ResearchProtocol,
    private readonly protocols: ResearchProtocols,
  ) {}

  /** The run continues without its connection. */
  get background(): boolean {
    return this.protocol.background && !this.omitted.includes('background');
  }

  body({ args, ...request }: Request): object {
    const formatted = this.omitted.some((path) => FORMATS.includes(path))
      ? withFormatInWords(args)
      : args;
    const { profile, protocol } = this;
    const whole = protocol.body({ ...request, args: formatted, profile });
    return this.omitted.reduce<object>(omit, whole);
  }

  /** Leaves out what the endpoint refused. False: nothing was left out, so another attempt is useless. */
  degrade(error: unknown, request: Request): boolean {
    if (this.newlyRefused.length >= MAX_REFUSALS) return false;
    const body = this.body(request);
    const limit = overlongLimit(error, body);
    if (limit !== undefined) {
      this.omitted.push(limit);
      return true;
    }
    const refused = refusedParameter(error, body);
    if (refused !== undefined) {
      if (this.requires(refused, request.args)) return false;
      this.omitted.push(refused);
      this.newlyRefused.push(refused);
      return true;
    }
    if (!refusesResponses(error)) return false;
    const { data_sources } = request.args;
    if (data_sources !== undefined && data_sources !== 'web') return false;
    const { path } = this.protocol;
    if (!this.changeProtocol()) return false;
    this.newlyRefused.push(path);
    return true;
  }

  /** False: there is no other protocol. */
  changeProtocol(): boolean {
    const next = this.protocols.after(this.protocol);
    if (next) this.protocol = next;
    return next !== undefined;
  }

  /** What the caller loses by this form; undefined if nothing. */
  get caveat(): string | undefined {
    const without = this.omitted.filter((path) => path !== 'background');
    const caveats = [
      without.length > 0 &&
        `The model endpoint refuses ${without.join(', ')}; the run does without.`,
      !this.background &&
        'The model endpoint has no background mode for this model: a restart of the worker would lose the run.',
    ].filter(Boolean);
    return caveats.length > 0 ? caveats.join(' ') : undefined;
  }

  /** Private sources and the web are never left out of a run whose caller asks for them. */
  private requires(path: string, { data_sources }: ResearchArguments): boolean {
    if (data_sources === undefined) return false;
    return data_sources === 'web'
      ? WEB.test(path) && !this.profile.completions
      : /^tools(\.[a-z_]+)?$/.test(path);
  }
}

/** The endpoint has no Responses API, or not for this model. */
function refusesResponses(error: unknown): boolean {
  if (isUnsupported(error)) return true;
  if (!(error instanceof UpstreamError) || error.code === 'model_not_found')
    return false;
  const { status = 0, message = '' } = error.fault;
  return (
    [400, 422].includes(status) &&
    /chat[ /]completions|responses api|\/responses\b/i.test(message)
  );
}
