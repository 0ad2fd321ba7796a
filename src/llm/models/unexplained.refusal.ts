import { isObject } from '../../message/call.arguments';
import { UpstreamError } from '../upstream/upstream.error';

/** Of a reply, whatever is in it: they name the request, not what is wrong with it. */
const IDENTITY = /^(?:request_?id|trace_?id|id|timestamp|path|instance)$/i;
/** What LiteLLM adds to every error. */
const ROUTING =
  /received model group=\S+|available model group fallbacks=\S+/gi;
const SAY_NOTHING = new Set(
  `bad request unprocessable entity content invalid error errors exception failed failure http https status code client
   server upstream provider returned response reason phrase message messages detail details title type object param null
   none unknown about blank the is was be a an of for from with in by your could not can cannot t processed process
   try again please something went wrong litellm badrequesterror unprocessableentityerror openaiexception openai
   apierror badrequest unprocessableentity nginx cloudflare openresty true false success
   잘못된 요청 요청입니다 오류 오류가 발생했습니다`.split(/\s+/),
);

/**
 * Whether a request was refused without any reason: what is left of the reply, numbers and ids aside, says no more than
 * that it was refused. Nothing of the request was begun.
 */
export function isUnexplainedRefusal(failure: unknown): boolean {
  if (!(failure instanceof UpstreamError) || failure.effect !== 'none')
    return false;
  const { status = 0, body } = failure.fault;
  if (![400, 422].includes(status) || body === undefined) return false;
  const words = textsIn(parsed(body))
    .join(' ')
    .replace(ROUTING, ' ')
    .replace(/<[^>]*>/g, ' ')
    .toLowerCase()
    .match(/\p{L}+/gu);
  return (words ?? []).every((word) => SAY_NOTHING.has(word));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    IDENTITY.test(key) ? [] : [key.replace(/_/g, ' '), ...textsIn(one)],
  );
}
