import { isObject } from '../../platform/message/call-arguments';
import { UpstreamError } from '../upstream/upstream-error';

/** Fields of a reply that identify the request and explain nothing about the refusal. */
const IDENTITY = /^(?:request_?id|trace_?id|id|timestamp|path|instance)$/i;
const MEANINGLESS = new Set(
  `bad request unprocessable entity content invalid error errors exception failed failure http https status code client
   server upstream provider returned response reason phrase message messages detail details title type object param null
   none unknown about blank the is was be a an of for from with in by your could not can cannot t processed process
   try again please something went wrong badrequesterror unprocessableentityerror openai
   apierror badrequest unprocessableentity nginx cloudflare openresty true false success
   잘못된 요청 요청입니다 오류 오류가 발생했습니다`.split(/\s+/),
);

/**
 * Whether a request was refused without any reason: apart from numbers and ids, the reply contains nothing but words for a
 * refusal. Nothing of the request was started.
 */
export function isUnexplainedRefusal(failure: unknown): boolean {
  if (!(failure instanceof UpstreamError) || failure.effect !== 'none')
    return false;
  const { status = 0, body } = failure.fault;
  if (![400, 422].includes(status) || body === undefined) return false;
  const words = textsIn(parsed(body))
    .join(' ')
    .replace(/<[^>]*>/g, ' ')
    .toLowerCase()
    .match(/\p{L}+/gu);
  return (words ?? []).every((word) => MEANINGLESS.has(word));
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
