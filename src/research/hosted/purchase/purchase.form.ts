import { isUnsupported } from '../../../llm/models/refusals';
import type { ModelProfile } from '../../../llm/models/model.profile';
import { omit, refusedParameter } from '../../../llm/models/refused.parameters';
import { ExpiringSet } from '../../../llm/models/expiring.set';
import { UpstreamError } from '../../../llm/upstream/upstream.error';
import type { ResearchArguments } from '../../research.arguments';
import { buildCompletionRequest } from '../completions/completion.request';
import { withFormatInWords } from '../research.prompt';
import {
  buildResponsesRequest,
  type ResponsesRequest,
} from '../responses/responses.request';

/** Parameters left out in one purchase; each costs one request that the endpoint refuses before it begins anything. */
const MAX_OMISSIONS = 10;
const FORMATS = ['text', 'text.format', 'response_format'];
const WEB = /^(tools(\.web_search(_preview)?)?|web_search_options)$/;

type Request = Omit<ResponsesRequest, 'profile' | 'background'>;

/** Remembers for ten minutes which protocol and parameters an endpoint refused, so that later purchases begin without them. */
export class PurchaseForms {
  private readonly overCompletions = new ExpiringSet();
  private readonly refused = new ExpiringSet();

  of(profile: ModelProfile, model: string): PurchaseForm {
    const completions =
      profile.completions === true || this.overCompletions.has(model);
    const form = new PurchaseForm(profile, completions);
    form.omitted.push(...this.refused.withPrefix(`${model} `));
    return form;
  }

  /** Called after a purchase: the next one begins in the form that succeeded. */
  remember(model: string, form: PurchaseForm): void {
    if (form.completions && !form.profile.completions)
      this.overCompletions.add(model);
    for (const path of form.newlyOmitted) this.refused.add(`${model} ${path}`);
  }
}

/** The protocol and parameters of one purchase. Parameters that the endpoint refuses are left out one after the other. */
export class PurchaseForm {
  /** Paths of parameters. */
  readonly omitted: string[] = [];
  /** Those of them that were refused during this purchase. */
  readonly newlyOmitted: string[] = [];

  constructor(
    readonly profile: ModelProfile,
    public completions: boolean,
  ) {}

  get path(): string {
    return this.completions ? '/chat/completions' : '/responses';
  }

  /** The run continues without its connection. */
  get background(): boolean {
    return !this.completions && !this.omitted.includes('background');
  }

  body({ args, ...request }: Request): object {
    const formatted = this.omitted.some((path) => FORMATS.includes(path))
      ? withFormatInWords(args)
      : args;
    const { profile, completions } = this;
    const whole = completions
      ? buildCompletionRequest(request.model, formatted)
      : buildResponsesRequest({
          ...request,
          args: formatted,
          profile,
          background: true,
        });
    return this.omitted.reduce<object>(omit, whole);
  }

  /** Leaves out what the endpoint refused. False: nothing was left out, so another attempt is useless. */
  degrade(error: unknown, request: Request): boolean {
    if (this.newlyOmitted.length >= MAX_OMISSIONS) return false;
    const refused = refusedParameter(error, this.body(request));
    if (refused !== undefined) {
      if (this.requires(refused, request.args)) return false;
      this.omitted.push(refused);
      this.newlyOmitted.push(refused);
      return true;
    }
    if (this.completions || !refusesResponses(error)) return false;
    const { data_sources } = request.args;
    if (data_sources !== undefined && data_sources !== 'web') return false;
    this.completions = true;
    return true;
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
