import { isNotOffered } from '../../../llm/models/refusals';
import type { ModelProfile } from '../../../llm/models/model.profile';
import {
  leaveOut,
  refusedParameter,
} from '../../../llm/models/refused.parameters';
import { ExpiringSet } from '../../../llm/models/expiring.set';
import { UpstreamError } from '../../../llm/upstream/upstream.error';
import type { ResearchArguments } from '../../research.arguments';
import { buildCompletionRequest } from '../completions/completion.request';
import {
  buildHostedRequest,
  type HostedRequest,
  withoutFormat,
} from './hosted.request';

/** Of one purchase; each is one more request that the endpoint refuses before it begins anything. */
const MOST_STEPS = 10;
const FORMATS = ['text', 'text.format', 'response_format'];
const WEB = /^(tools(\.web_search(_preview)?)?|web_search_options)$/;

type Asked = Omit<HostedRequest, 'profile' | 'background'>;

/** What endpoints have refused of the forms in which runs are bought, for ten minutes. */
export class PurchaseForms {
  private readonly overCompletions = new ExpiringSet();
  private readonly refused = new ExpiringSet();

  of(profile: ModelProfile, model: string): PurchaseForm {
    const completions =
      profile.completions === true || this.overCompletions.has(model);
    const form = new PurchaseForm(profile, completions);
    form.left.push(...this.refused.withPrefix(`${model} `));
    return form;
  }

  /** A run was bought in this form. What was left out on the way is left out at once the next time. */
  remember(model: string, form: PurchaseForm): void {
    if (form.completions && !form.profile.completions)
      this.overCompletions.add(model);
    for (const path of form.found) this.refused.add(`${model} ${path}`);
  }
}

/** The form in which one run is asked for, which gives up what the endpoint refuses, one part after the other. */
export class PurchaseForm {
  /** Paths of parameters. */
  readonly left: string[] = [];
  /** Those of them that were refused just now. */
  readonly found: string[] = [];

  constructor(
    readonly profile: ModelProfile,
    public completions: boolean,
  ) {}

  get path(): string {
    return this.completions ? '/chat/completions' : '/responses';
  }

  /** The run goes on without the connection. */
  get background(): boolean {
    return !this.completions && !this.left.includes('background');
  }

  body({ args, ...asked }: Asked): object {
    const formatted = this.left.some((path) => FORMATS.includes(path))
      ? withoutFormat(args)
      : args;
    const { profile, completions } = this;
    const whole = completions
      ? buildCompletionRequest(asked.model, formatted)
      : buildHostedRequest({
          ...asked,
          args: formatted,
          profile,
          background: true,
        });
    return this.left.reduce<object>(leaveOut, whole);
  }

  /** Whether another try, without what was refused, can do. */
  stepDown(error: unknown, asked: Asked): boolean {
    if (this.found.length >= MOST_STEPS) return false;
    const refused = refusedParameter(error, this.body(asked));
    if (refused !== undefined) {
      if (this.needs(refused, asked.args)) return false;
      this.left.push(refused);
      this.found.push(refused);
      return true;
    }
    if (this.completions || !refusesResponses(error)) return false;
    const { data_sources } = asked.args;
    if (data_sources !== undefined && data_sources !== 'web') return false;
    this.completions = true;
    return true;
  }

  /** What is to be known of a run before it is bought so; undefined if nothing is. */
  get caveat(): string | undefined {
    const without = this.left.filter((path) => path !== 'background');
    const caveats = [
      without.length > 0 &&
        `The model endpoint refuses ${without.join(', ')}; the run does without.`,
      !this.background &&
        'The model endpoint has no background mode for this model: a restart of the worker would lose the run.',
    ].filter(Boolean);
    return caveats.length > 0 ? caveats.join(' ') : undefined;
  }

  /** Private sources and the web are never left out where the caller asks for them. */
  private needs(path: string, { data_sources }: ResearchArguments): boolean {
    if (data_sources === undefined) return false;
    return data_sources === 'web'
      ? WEB.test(path) && !this.profile.completions
      : /^tools(\.[a-z_]+)?$/.test(path);
  }
}

/** The endpoint has no Responses API, or not for this model. */
function refusesResponses(error: unknown): boolean {
  if (isNotOffered(error)) return true;
  if (!(error instanceof UpstreamError) || error.code === 'model_not_found')
    return false;
  const { status = 0, message = '' } = error.fault;
  return (
    [400, 422].includes(status) &&
    /chat[ /]completions|responses api|\/responses\b/i.test(message)
  );
}
