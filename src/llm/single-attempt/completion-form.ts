import { Logger } from '@nestjs/common';
import type { AppConfig } from '../../config/config';
import type { LearntModels } from '../models/learnt-models';
import { profileOf, reasons } from '../models/model-profile';
import { ModelProtocols, type Protocol } from '../models/model-protocols';
import { isUnsupported } from '../models/refusals';
import { refusedParameter } from '../models/refused-parameters';
import { isUnexplainedRefusal } from '../models/unexplained-refusal';
import { UpstreamError } from '../upstream/upstream-error';
import type { CompletionRequest, CompletionSchema } from './completion.types';
import { type BoundKind, BOUNDS, refusedBounds } from './schema-bounds';

/** The name of the parameter that limits the output. A request never goes without: its reservation relies on it. */
type LimitName = 'max_output_tokens' | 'max_tokens' | 'max_completion_tokens';

/** In what form one attempt is sent. */
export interface CompletionForm {
  readonly protocol: Protocol;
  readonly limit: LimitName;
  /** The schema is a parameter of the request. */
  readonly nativeSchema: boolean;
  /** The bounds that the schema is sent without. */
  readonly unbounded: readonly BoundKind[];
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
/** Of a model that ignored the schema that was sent as a parameter, with the protocol. */
const IGNORED = 'schemas are ignored over ';
/** The endpoint has no Chat Completions. */
const NO_COMPLETIONS = 'not over Chat Completions';
/** The servers whose Responses API is known to obey schemas, whatever the model. */
const OBEYS = /(^|\.)(openai|azure)\.com$/;
const UNBOUNDED = 'schemas without bounds of ';
const SYSTEM = 'system message';
/** Of what is learnt here. */
const PREFIX = 'single calls: ';
const WITHOUT = `${PREFIX}without `;

/** Remembers for ten minutes what form of a request the endpoint refused for a model. */
export class CompletionForms {
  private readonly log = new Logger('Models');
  private readonly protocols: ModelProtocols;

  constructor(
    private readonly learnt: LearntModels,
    private readonly upstream: Pick<
      AppConfig['upstream'],
      'baseUrl' | 'modelProfiles' | 'modelProtocols'
    >,
  ) {
    this.protocols = new ModelProtocols(learnt, upstream.modelProtocols);
  }

  of({ model, schema }: CompletionRequest): CompletionForm {
    const profile = profileOf(model, this.upstream.modelProfiles);
    const isReasoning = reasons(profile);
    const protocol = this.protocolOf(model, schema !== undefined, isReasoning);
    const nativeSchema =
      schema !== undefined &&
      profile.jsonSchema &&
      !this.isRefused(model, 'schema') &&
      !this.isRefused(model, keyOf(schema));
    return {
      protocol,
      limit: this.limitOf(model, protocol, isReasoning),
      nativeSchema,
      unbounded: BOUNDS.filter((kind) =>
        this.isRefused(model, UNBOUNDED + kind),
      ),
      promptedSchema:
        schema !== undefined &&
        (!nativeSchema ||
          this.isIgnored(model, 'responses') ||
          this.isIgnored(model, 'completions')),
      system: !this.isRefused(model, SYSTEM),
      reasons: isReasoning,
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
    if (isUnsupported(error)) return this.noteNoProtocol(model, form);
    const { status = 0, code, param = '', message = '' } = error.fault;
    if (error.effect !== 'none' || ![400, 404, 422].includes(status))
      return false;
    const bounds =
      schema && form.nativeSchema
        ? refusedBounds(error, schema.schema, form.unbounded)
        : [];
    for (const kind of bounds) this.note(model, UNBOUNDED + kind);
    if (bounds.length > 0) return true;
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

  /**
   * Some servers drop the schema without an error, often over one protocol alone: later requests take the other one, and
   * also describe the schema in words.
   */
  noteIgnoredSchema(model: string, { protocol }: CompletionForm): void {
    if (!this.isIgnored(model, protocol))
      this.log.warn(`${model} ignores JSON Schemas over ${NAMES[protocol]}`);
    this.note(model, IGNORED + NAMES[protocol]);
  }

  /**
   * With a schema, Chat Completions: some servers ignore schemas over Responses. The protocol that a model is configured for
   * counts first, then what was refused, then over which one a schema was ignored.
   */
  private protocolOf(
    model: string,
    hasSchema: boolean,
    reasons: boolean,
  ): Protocol {
    const { protocols } = this;
    if (this.isRefused(model, 'max_output_tokens')) return 'completions';
    const taken = protocols.of(model);
    if (!hasSchema || taken === 'completions') return taken;
    if (protocols.configuredFor(model)) return taken;
    if (this.isRefused(model, NO_COMPLETIONS)) return 'responses';
    const first =
      reasons || OBEYS.test(hostOf(this.upstream.baseUrl))
        ? 'responses'
        : 'completions';
    const other = first === 'responses' ? 'completions' : 'responses';
    return this.isIgnored(model, first) && !this.isIgnored(model, other)
      ? other
      : first;
  }

  /** Returns whether the next attempt takes the other protocol. */
  private noteNoProtocol(model: string, { protocol }: CompletionForm): boolean {
    if (this.protocols.configuredFor(model)) return false;
    if (protocol === 'responses') {
      this.protocols.useCompletions(model);
      const hasNone = this.isRefused(model, NO_COMPLETIONS);
      if (hasNone) this.protocols.forget(model);
      this.learnt.forget(model, PREFIX + NO_COMPLETIONS);
      return !hasNone;
    }
    const wasPreferred = this.protocols.of(model) === 'responses';
    this.protocols.forget(model);
    return wasPreferred && this.note(model, NO_COMPLETIONS);
  }

  private isIgnored(model: string, protocol: Protocol): boolean {
    return this.isRefused(model, IGNORED + NAMES[protocol]);
  }

  private limitOf(
    model: string,
    protocol: Protocol,
    isReasoning: boolean,
  ): LimitName {
    if (protocol === 'responses') return 'max_output_tokens';
    const first = isReasoning ? 'max_completion_tokens' : 'max_tokens';
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

const NAMES: Record<Protocol, string> = {
  responses: 'Responses',
  completions: 'Chat Completions',
};

function hostOf(url = ''): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function keyOf({ name }: CompletionSchema): string {
  return `schema ${name}`;
}

function otherLimit(limit: LimitName): LimitName {
  return limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
}
