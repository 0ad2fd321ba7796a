import { randomBytes } from 'node:crypto';
import type { Dialect } from './dialect';

export const newId = (prefix: string) =>
  `${prefix}_${randomBytes(25).toString('hex')}`;

/** Shorter than the others: Chat Completions accepts at most 40 characters. */
export const newCallId = () => `call_${randomBytes(12).toString('hex')}`;

/** LiteLLM encodes the id of the upstream in base64 with padding, so clients cannot rely on its alphabet or length. */
export function newResponseId(dialect: Dialect): string {
  const plain = newId('resp');
  if (dialect === 'openai') return plain;
  const wrapped = `litellm:custom_llm_provider:openai;model_id:sandbox;response_id:${plain}`;
  return `resp_${Buffer.from(wrapped).toString('base64')}`;
}
