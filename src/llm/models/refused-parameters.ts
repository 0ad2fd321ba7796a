import { isObject } from '../../platform/message/call-arguments';
import type { ErrorCode } from '../../platform/errors';
import { noteContext } from './context-window';
import type { LearntModels } from './learnt-models';
import { UpstreamError, type UpstreamFault } from '../upstream/upstream-error';

/** Parts that a request cannot do without. */
const REQUIRED = ['model', 'input', 'messages', 'instructions'];
/** Errors about the content of a request, not its form. */
const ABOUT_CONTENT =
  /^(model_not_found|invalid_json_schema|invalid_function_parameters|content_filter|content_policy_violation)$/;
const ABOUT_INPUT: readonly ErrorCode[] = [
  'model_not_found',
  'context_length_exceeded',
];
const REFUSES =
  /support|unknown|unrecognized|unexpected|permitted|forbidden|allowed|accept|available|enable|invalid|require|must be/i;
const QUOTED = /['"`]([a-z][\w.[\]]*)(?:=\w+)?['"`]/gi;
/** As Azure lists them: `Unrecognized request arguments supplied: include, reasoning`. */
const LISTED = /(?:arguments?|parameters?|fields?)[\w ]*:\s*([\w., ]+)/i;
/** Words that are parameter names, whatever the sentence. */
const IDENTIFIER = /\b(background|[a-z]+_[a-z_]+)\b/g;

/** Fields that limit the output. */
const LIMITS = ['max_output_tokens', 'max_completion_tokens', 'max_tokens'];
const TOOLS = /^tool/;
/** Refused parts per request. */
const MAX_REFUSED = 5;

type Body = Record<string, unknown>;

/**
 * The part of a request that the endpoint refused, as a path such as `background`, `reasoning.effort` or
 * `tools.web_search`; undefined if the refusal names none that can be omitted. Only for refusals that prove that nothing
 * was started: another attempt must not buy anything twice.
 */
export function refusedParameter(
  failure: unknown,
  body: object,
): string | undefined {
  if (!(failure instanceof UpstreamError) || failure.effect !== 'none')
    return undefined;
  const { status = 0, code = '', message = '' } = failure.fault;
  if (![400, 404, 422].includes(status) || ABOUT_CONTENT.test(code))
    return undefined;
  if (ABOUT_INPUT.includes(failure.code) || !REFUSES.test(`${message} ${code}`))
    return undefined;
  for (const name of namesIn(failure.fault)) {
    const path = pathIn(body as Body, name);
    if (path !== undefined) return path;
  }
  return undefined;
}

/**
 * The limit of the output of a request that is refused because prompt and output are too long together, by servers that name
 * the context; undefined if it is not that. Without a limit, the output has what the prompt leaves, which is less. Whether the
 * prompt alone is too long, only the next refusal tells.
 */
export function overlongLimit(
  failure: unknown,
  body: object,
): string | undefined {
  if (!(failure instanceof UpstreamError) || failure.effect !== 'none')
    return undefined;
  return failure.fault.contextTokens === undefined
    ? undefined
    : LIMITS.find((name) => name in body);
}

/** The request without that part. */
export function omit<T extends object>(body: T, path: string): T {
  const [key, ...rest] = path.split('.');
  const { [key]: value, ...others } = body as Body;
  if (value === undefined) return body;
  const left = rest.length > 0 ? without(value, rest) : undefined;
  const shown = left === undefined ? others : { ...others, [key]: left };
  // These are valid only with the omitted part.
  if (left === undefined && key === 'stream') delete shown.stream_options;
  if (left === undefined && key === 'tools') delete shown.tool_choice;
  return shown as T;
}

/** Sends requests without the parameters that their endpoint refused in the last ten minutes. */
export class RefusedParameters {
  /** @param where in what requests, such as `responses`. */
  constructor(
    private readonly learnt: LearntModels,
    private readonly where: string,
  ) {}

  /**
   * Omits refused parameters, one after the other, but no tools: those can be described in the prompt instead.
   * @param mayRepeat called after a failure: false forbids another attempt.
   * @param limit of the output, which the caller has not set.
   */
  async send<T, Sent extends { model: string }>(
    request: Sent,
    post: (body: Sent) => Promise<T>,
    mayRepeat: () => boolean,
    limit: object = {},
  ): Promise<T> {
    const { model } = request;
    const prefix = `${this.where} without `;
    const found: string[] = [];
    const whole = { ...request, ...limit };
    let body = this.learnt.withPrefix(model, prefix).reduce(omit, whole);
    for (;;) {
      try {
        const reply = await post(body);
        for (const path of found) this.learnt.learn(model, prefix + path);
        return reply;
      } catch (error) {
        noteContext(this.learnt, model, error);
        if (!mayRepeat()) throw error;
        const own = overlongLimit(error, limit);
        if (own !== undefined && own in body) {
          body = omit(body, own);
          continue;
        }
        const path = refusedParameter(error, body);
        if (
          path === undefined ||
          TOOLS.test(path) ||
          found.length >= MAX_REFUSED
        )
          throw error;
        found.push(path);
        body = omit(body, path);
      }
    }
  }
}

/** Most reliable first. */
function namesIn({ param, message = '' }: UpstreamFault): string[] {
  const listed = LISTED.exec(message)?.[1].split(/[\s,]+/) ?? [];
  return [
    ...(param ? [param] : []),
    ...[...message.matchAll(QUOTED)].map(([, name]) => name),
    ...listed,
    ...[...message.matchAll(IDENTIFIER)].map(([, name]) => name),
  ];
}

/** The path of the name in the request, as precise as can be omitted. */
function pathIn(body: Body, name: string): string | undefined {
  const [key, ...rest] = name
    .replace(/^body\./, '')
    .split(/[.[\]]+/)
    .filter(Boolean);
  if (key === undefined || REQUIRED.includes(key)) return undefined;
  const value = body[key];
  if (value === undefined) return toolNamed(body, name);
  if (key === 'tools' && Array.isArray(value)) {
    const tool = value[Number(rest[0])] as unknown;
    return isObject(tool) ? toolPath(tool, rest.slice(1)) : key;
  }
  const [field] = rest;
  return isObject(value) && field !== undefined && field in value
    ? `${key}.${field}`
    : key;
}

/** The path names the type of a tool: its index differs between requests. */
function toolPath(tool: Body, [field]: string[]): string | undefined {
  if (typeof tool.type !== 'string' || tool.type === 'function')
    return undefined;
  const isSetting = field !== undefined && field !== 'type' && field in tool;
  return `tools.${tool.type}${isSetting ? `.${field}` : ''}`;
}

function toolNamed({ tools }: Body, type: string): string | undefined {
  const named = Array.isArray(tools)
    ? tools.find((tool) => isObject(tool) && tool.type === type)
    : undefined;
  return named && toolPath(named as Body, []);
}

function without(value: unknown, [key, ...rest]: string[]): unknown {
  if (Array.isArray(value)) {
    const remaining = value.flatMap((item: Body) => {
      if (item.type !== key) return [item];
      return rest.length > 0 ? [omit(item, rest.join('.'))] : [];
    });
    return remaining.length > 0 ? remaining : undefined;
  }
  if (!isObject(value)) return undefined;
  const { [key]: _, ...remaining } = value;
  return Object.keys(remaining).length > 0 ? remaining : undefined;
}
