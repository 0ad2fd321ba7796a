import { createHash } from 'node:crypto';
import { isObject } from '../../message/call.arguments';
import type { Tool } from '../../tools/tool';
import { type Asked, isResearch } from './tool-call';
import type { ChatRequest } from '../dto/chat.dto';
import { completeArguments } from './tool-call.arguments';

/** The same for calls that ask for the same: whatever was left out, in any order, and in other spaces and letters for research. */
export function callKey(
  tool: Tool,
  args: Asked['arguments'],
  request: ChatRequest,
): string {
  const given = args && completeArguments(tool, args, request);
  const { data } = tool.argumentsSchema.safeParse(given);
  const fold = isResearch({ toolName: tool.name }) ? folded : undefined;
  const json = JSON.stringify([tool.name, inOrder(data ?? given, fold)]);
  return createHash('sha256').update(json).digest('base64');
}

function inOrder(value: unknown, fold?: (text: string) => string): unknown {
  if (typeof value === 'string') return fold ? fold(value) : value;
  if (Array.isArray(value)) return value.map((item) => inOrder(item, fold));
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, inOrder(value[key], fold)]);
}

function folded(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain
    .replace(/\s+/g, ' ')
    .replace(/[\s.?!。]+$/, '')
    .trim();
}
