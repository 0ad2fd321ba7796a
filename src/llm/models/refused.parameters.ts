import { isObject } from '../../message/call.arguments';
import { ExpiringSet } from './expiring.set';
import { UpstreamError, type UpstreamFault } from '../upstream/upstream.error';

/** What the request is about: without it there is nothing to ask. */
const NEEDED = ['model', 'input', 'messages', 'instructions'];
/** Faults of what was asked, not of the form in which it was. */
const NOT_OF_FORM =
  /^(context_length_exceeded|model_not_found|invalid_json_schema|invalid_function_parameters|content_filter|content_policy_violation)$/;
const REFUSES =
  /support|unknown|unrecognized|unexpected|permitted|forbidden|allowed|accept|available|enable|invalid|require|must be/i;
const QUOTED = /['"`]([a-z][\w.[\]]*)(?:=\w+)?['"`]/gi;
/** As Azure lists them: `Unrecognized request arguments supplied: include, reasoning`. */
const LISTED = /(?:arguments?|parameters?|fields?)[\w ]*:\s*([\w., ]+)/i;
/** Words of a parameter that no sentence has by itself. */
const TELLING = /\b(background|[a-z]+_[a-z_]+)\b/g;

const TOOLS = /^tool/;
/** Of one request. */
const MOST = 5;

type Body = Record<string, unknown>;

/**
 * The part of a request that the endpoint refused, as a path such as `background`, `reasoning.effort` or
 * `tools.web_search`; undefined if the refusal names none that can be left out. Only for refusals that say that nothing was
 * begun: another try must not buy anything twice.
 */
export function refusedParameter(
  failure: unknown,
  body: object,
): string | undefined {
  if (!(failure instanceof UpstreamError) || failure.effect !== 'none')
    return undefined;
  const { status = 0, code = '', message = '' } = failure.fault;
  if (![400, 404, 422].includes(status) || NOT_OF_FORM.test(code))
    return undefined;
  if (failure.code === 'model_not_found' || !REFUSES.test(`${message} ${code}`))
    return undefined;
  for (const name of namesIn(failure.fault)) {
    const path = pathIn(body as Body, name);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** The same request without that part. */
export function leaveOut<T extends object>(body: T, path: string): T {
  const [key, ...rest] = path.split('.');
  const { [key]: value, ...others } = body as Body;
  if (value === undefined) return body;
  const left = rest.length > 0 ? without(value, rest) : undefined;
  const shown = left === undefined ? others : { ...others, [key]: left };
  // What only makes sense beside it.
  if (left === undefined && key === 'stream') delete shown.stream_options;
  if (left === undefined && key === 'tools') delete shown.tool_choice;
  return shown as T;
}

/** Asks models without what their endpoint has refused in the last ten minutes. */
export class RefusedParameters {
  private readonly refused = new ExpiringSet();

  /**
   * Leaves out what is refused, one part after the other, but no tools: a model can be described those in the prompt.
   * @param mayRepeat asked when it failed: false if it must not be asked again all the same.
   */
  async ask<T, Whole extends { model: string }>(
    whole: Whole,
    post: (body: Whole) => Promise<T>,
    mayRepeat: () => boolean,
  ): Promise<T> {
    const key = `${whole.model} `;
    const found: string[] = [];
    let body = this.refused.withPrefix(key).reduce(leaveOut, whole);
    for (;;) {
      try {
        const reply = await post(body);
        for (const path of found) this.refused.add(key + path);
        return reply;
      } catch (error) {
        const path = mayRepeat() ? refusedParameter(error, body) : undefined;
        if (path === undefined || TOOLS.test(path) || found.length >= MOST)
          throw error;
        found.push(path);
        body = leaveOut(body, path);
      }
    }
  }
}

/** In the order in which they are to be believed. */
function namesIn({ param, message = '' }: UpstreamFault): string[] {
  const listed = LISTED.exec(message)?.[1].split(/[\s,]+/) ?? [];
  return [
    ...(param ? [param] : []),
    ...[...message.matchAll(QUOTED)].map(([, name]) => name),
    ...listed,
    ...[...message.matchAll(TELLING)].map(([, name]) => name),
  ];
}

/** Where the name is in the request; the most precise place that can be left out. */
function pathIn(body: Body, name: string): string | undefined {
  const [key, ...rest] = name
    .replace(/^body\./, '')
    .split(/[.[\]]+/)
    .filter(Boolean);
  if (key === undefined || NEEDED.includes(key)) return undefined;
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

/** An index means nothing in another request, so that a tool goes by its type. */
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
    const kept = value.flatMap((item: Body) => {
      if (item.type !== key) return [item];
      return rest.length > 0 ? [leaveOut(item, rest.join('.'))] : [];
    });
    return kept.length > 0 ? kept : undefined;
  }
  if (!isObject(value)) return undefined;
  const { [key]: _, ...kept } = value;
  return Object.keys(kept).length > 0 ? kept : undefined;
}
