import type { ModelProfileName } from '../../config/config';
import type { LearntModels } from '../models/learnt-models';
import { profileOf } from '../models/model-profile';
import { ModelProtocols, type Protocol } from '../models/model-protocols';
import { isUnsupported } from '../models/refusals';
import { refusedParameter } from '../models/refused-parameters';
import { isUnexplainedRefusal } from '../models/unexplained-refusal';
import { UpstreamError } from '../upstream/upstream-error';
import type { CompletionRequest, CompletionSchema } from './completion.types';

/** The name of the parameter that limits the output. A request never goes without: its reservation relies on it. */
type LimitName = 'max_output_tokens' | 'max_tokens' | 'max_completion_tokens';

/** In what form one attempt is sent. */
export interface CompletionForm {
  readonly protocol: Protocol;
  readonly limit: LimitName;
  /** The schema is a parameter of the request. */
  readonly nativeSchema: boolean;
  /** The schema is in the system message. */
  readonly promptedSchema: boolean;
  /** The model accepts system messages. */
  readonly system: boolean;
  /** The model reasons, which takes part of the output limit: it is instructed to reason little. */
  readonly reasons: boolean;
  /** Paths of parameters that the endpoint refuses. */
  readonly omitted: readonly string[];
}

const SCHEMA = /^(text|text\.format.*|response_format.*)$/;
const ABOUT_SCHEMA =
  /response_?format|text\.format|json_?schema|structured.?output|guided|grammar/i;
const ABOUT_SYSTEM = /system (role|message|prompt|instruction)/i;
/** About the value of a limit, not the parameter. */
const ABOUT_VALUE = /too (large|big|high|many)|at most|exceed|range|[<>]=/i;
/** Key of a model that ignored the schema that was sent as a parameter. */
const IGNORED = 'ignored schema';
const SYSTEM = 'system message';
/** Of what is learnt here. */
const PREFIX = 'single calls: ';
const WITHOUT = `${PREFIX}without `;

/** Remembers for ten minutes what form of a request the endpoint refused for a model. */
export class CompletionForms {
  private readonly protocols: ModelProtocols;

  constructor(
    private readonly learnt: LearntModels,
    private readonly profiles: ReadonlyMap<string, ModelProfileName>,
  ) {
    this.protocols = new ModelProtocols(learnt);
  }

  of({ model, schema }: CompletionRequest): CompletionForm {
    const profile = profileOf(model, this.profiles);
    const reasons = profile.name !== 'plain' && profile.name !== 'completions';
    const protocol = this.isRefused(model, 'max_output_tokens')
      ? 'completions'
      : this.protocols.of(model);
    const nativeSchema =
      schema !== undefined &&
      profile.jsonSchema &&
      !this.isRefused(model, 'schema') &&
      !this.isRefused(model, keyOf(schema));
    return {
      protocol,
      limit: this.limitOf(model, protocol, reasons),
      nativeSchema,
      promptedSchema:
        schema !== undefined &&
        (!nativeSchema || this.isRefused(model, IGNORED)),
      system: !this.isRefused(model, SYSTEM),
      reasons,
      omitted: this.learnt.withPrefix(model, WITHOUT),
    };
  }

  /** Remembers what was refused. Returns whether the next attempt takes another form. */
  noteRefusal(
    { model, schema }: CompletionRequest,
    form: CompletionForm,
    body: object,
    error: UpstreamError,
  ): boolean {
    if (isUnsupported(error)) {
      if (form.protocol === 'responses') this.protocols.useCompletions(model);
      else this.protocols.forget(model);
      return form.protocol === 'responses';
    }
    const { status = 0, code, param = '', message = '' } = error.fault;
    if (error.effect !== 'none' || ![400, 404, 422].includes(status))
      return false;
    if (code === 'invalid_json_schema')
      return form.nativeSchema && this.note(model, keyOf(schema!));
    if (form.system && ABOUT_SYSTEM.test(message))
      return this.note(model, SYSTEM);
    const path = refusedParameter(error, body);
    if (path === form.limit)
      return !ABOUT_VALUE.test(message) && this.noteLimit(model, form);
    const isSchema =
      path === undefined
        ? ABOUT_SCHEMA.test(`${param} ${message}`) ||
          isUnexplainedRefusal(error)
        : SCHEMA.test(path);
    if (isSchema) return form.nativeSchema && this.note(model, 'schema');
    return (
      path !== undefined &&
      this.note(model, WITHOUT.slice(PREFIX.length) + path)
    );
  }

  /** Some gateways drop the schema without an error: later requests also describe it in words. */
  noteIgnoredSchema(model: string): void {
    this.note(model, IGNORED);
  }

  private limitOf(
    model: string,
    protocol: Protocol,
    reasons: boolean,
  ): LimitName {
    if (protocol === 'responses') return 'max_output_tokens';
    const first = reasons ? 'max_completion_tokens' : 'max_tokens';
    return this.isRefused(model, first) ? otherLimit(first) : first;
  }

  private noteLimit(model: string, { limit, protocol }: CompletionForm) {
    const other = otherLimit(limit);
    if (protocol === 'completions' && this.isRefused(model, other)) {
      this.learnt.forget(model, PREFIX + other);
      return false;
    }
    return this.note(model, limit);
  }

  private isRefused(model: string, part: string): boolean {
    return this.learnt.knows(model, PREFIX + part);
  }

  private note(model: string, part: string): true {
    this.learnt.learn(model, PREFIX + part);
    return true;
  }
}

function keyOf({ name }: CompletionSchema): string {
  return `schema ${name}`;
}

function otherLimit(limit: LimitName): LimitName {
  return limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
}
