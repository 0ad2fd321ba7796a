import { isObject } from '../../platform/message/call-arguments';

type Reply = Record<string, unknown>;

/**
 * What LiteLLM puts before the reply of an endpoint: names of errors, and of its provider.
 * E.g. `litellm.BadRequestError: AzureException BadRequestError - Error code: 400 - `
 */
const BEFORE =
  /^litellm\.\w+: (?:(?:litellm\.)?\w+Error: )*(?:\w+Exception(?: \w+)? - )?(?:Error code: \d+(?: - |(?=\s|$)))?/;
/** Where begins what it puts behind it: what it was called with, and what it tried. */
const BEHIND = /\n(?:LiteLLM: |model=)|\.? ?Received Model Group=/;
/** Gateways behind each other. */
const MOST_GATEWAYS = 3;

/**
 * The reply of the endpoint itself, where gateways have put it into the messages of errors of their own. A reply that is no
 * JSON is the message.
 */
export function endpointReply(reply: Reply, most = MOST_GATEWAYS): Reply {
  const { error } = reply;
  if (most === 0 || !isObject(error) || typeof error.message !== 'string')
    return reply;
  const [before] = BEFORE.exec(error.message) ?? [];
  if (before === undefined) return reply;
  const rest = error.message.slice(before.length);
  const end = rest.search(BEHIND);
  const text = (end < 0 ? rest : rest.slice(0, end)).trim();
  const own = jsonObject(text);
  return own
    ? endpointReply(own, most - 1)
    : { ...reply, error: { ...error, message: text } };
}

export function jsonObject(text: string): Reply | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
