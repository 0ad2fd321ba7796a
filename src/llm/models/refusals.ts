import { isObject } from '../../platform/message/call-arguments';
import { UpstreamError } from '../upstream/upstream-error';

/** Whether the endpoint lacks the path, as opposed to the model. */
export function isUnsupported(failure: unknown): boolean {
  return (
    failure instanceof UpstreamError &&
    failure.code !== 'model_not_found' &&
    [404, 405, 501].includes(failure.fault.status ?? 0)
  );
}

/**
 * Whether a request was refused because it contains tools. Every server words this differently: vLLM without a parser for
 * tool calls, Ollama with a template without tools, proxies in front of them.
 */
export function refusesTools(failure: unknown): boolean {
  if (!(failure instanceof UpstreamError)) return false;
  const { status = 0, message = '' } = failure.fault;
  if (failure.code === 'model_not_found' || isAboutInput(failure)) {
    return false;
  }
  if ([400, 422].includes(status)) {
    return /tool|function/i.test(`${failure.fault.param} ${message}`);
  }
  return (
    [404, 405, 501].includes(status) &&
    /support.{0,40}\btool|\btool.{0,40}support/i.test(message)
  );
}

/**
 * Whether a request with hosted tools may have been refused because of them: a message about tools of any kind may mean
 * them. 424 reports an MCP server that the endpoint could not reach.
 */
export function refusesHosted(failure: unknown): boolean {
  if (!(failure instanceof UpstreamError)) return false;
  const { status = 0, param, message } = failure.fault;
  if (status === 424 || refusesTools(failure)) return true;
  return (
    [400, 422].includes(status) &&
    !isAboutInput(failure) &&
    /(web|file).?search|code.?interpreter|image.?generation|\bmcp\b|\binclude\b/i.test(
      `${param} ${message}`,
    )
  );
}

/** A conversation that is too long or inconsistent would be refused in any other form, too. */
function isAboutInput({ code, fault: { param = '' } }: UpstreamError) {
  return (
    code === 'context_length_exceeded' || /^(input|messages)\b/.test(param)
  );
}

const PLACEHOLDER = '[An image. You cannot be shown images.]';

/** Whether a request was refused because of its images: many models accept none, and every server words this differently. */
export function refusesImages(failure: unknown, body: object): boolean {
  if (!(failure instanceof UpstreamError)) return false;
  const { status = 0, code = '', message = '' } = failure.fault;
  return (
    [400, 415, 422].includes(status) &&
    /image|vision|multi-?modal|content type/i.test(`${code} ${message}`) &&
    /"type":"(input_image|image_url)"/.test(JSON.stringify(body))
  );
}

/** The request with a text in place of every image. */
export function withoutImages<T>(body: T): T {
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) => {
      if (!isObject(value)) return value;
      if (value.type === 'input_image')
        return { type: 'input_text', text: PLACEHOLDER };
      return value.type === 'image_url'
        ? { type: 'text', text: PLACEHOLDER }
        : value;
    }),
  ) as T;
}
