import { createHash } from 'node:crypto';
import type { AppConfig } from '../../config/config';
import { isObject } from '../../platform/message/call-arguments';
import type { Tool } from '../../tools/tool';
import type { ChatRequest } from '../dto/chat.dto';
import {
  type CompletedToolCall,
  isResearch,
  type RequestedCall,
} from '../turns/tool-call';
import { completeArguments } from './tool-call-arguments';

type Call = Pick<RequestedCall, 'arguments'> & { tool: Tool };

/** Counts the calls of a chat against its limits, and finds the result of an idempotent call that is repeated. */
export class CallLimit {
  private readonly counts = new Map<string, number>();
  private readonly repeatable = new Map<string, Promise<CompletedToolCall>>();
  private readonly maxResearch: number;
  private research = 0;
  private total = 0;

  constructor(
    private readonly limits: AppConfig['tools'],
    private readonly request: ChatRequest,
  ) {
    this.maxResearch = maxResearchOf(request, limits);
  }

  /** The result of an equal idempotent call in this chat, so that the same research is never bought twice. */
  earlier({
    tool,
    arguments: args,
  }: Call): Promise<CompletedToolCall> | undefined {
    if (!tool.annotations.idempotentHint) return undefined;
    return this.repeatable.get(callKey(tool, args, this.request));
  }

  /** Counts a call. Over the limit it counts nothing and returns the message for the model. */
  reserve(name: string): string | undefined {
    const { maxCalls, maxCallsPerTool } = this.limits;
    const count = this.counts.get(name) ?? 0;
    const costs = isResearch({ toolName: name });
    if (costs && this.research >= this.maxResearch)
      return `Research was done ${this.research} times, which is all that this conversation may ask for. Answer from what is known so far.`;
    if (count >= maxCallsPerTool)
      return `This tool was called ${count} times, and cannot be called again in this conversation.`;
    if (this.total >= maxCalls)
      return `Tools were called ${this.total} times, and cannot be called again in this conversation.`;
    this.counts.set(name, count + 1);
    this.total += 1;
    if (costs) this.research += 1;
    return undefined;
  }

  /** Remembers the result of a reserved call. Research that never started does not count against its limit. */
  record(call: Call, result: Promise<CompletedToolCall>): void {
    const { tool, arguments: args } = call;
    if (tool.annotations.idempotentHint)
      this.repeatable.set(callKey(tool, args, this.request), result);
    if (!isResearch({ toolName: tool.name })) return;
    const release = (): void => void (this.research -= 1);
    result.then(({ invocation }) => {
      if (invocation === null) release();
    }, release);
  }

  /** Counts a call that completed in an earlier process of this chat. */
  restore(call: Call, result: CompletedToolCall): void {
    const ran = result.invocation !== null || result.outcome === 'reported';
    if (!ran || this.earlier(call)) return;
    this.record(call, Promise.resolve(result));
    this.reserve(call.tool.name);
  }
}

/** How often a chat may ask for research: a request may lower the configured limit, never raise it. */
export function maxResearchOf(
  { max_research }: ChatRequest,
  { maxResearch }: Pick<AppConfig['tools'], 'maxResearch'>,
): number {
  return Math.min(max_research ?? maxResearch, maxResearch);
}

/**
 * Equal for calls with equal arguments, after defaults are applied and in any order of keys. For research, letter case,
 * spaces and final punctuation are ignored as well.
 */
function callKey(
  tool: Tool,
  args: RequestedCall['arguments'],
  request: ChatRequest,
): string {
  const completed = args && completeArguments(tool, args, request);
  const { data } = tool.argumentsSchema.safeParse(completed);
  const fold = isResearch({ toolName: tool.name }) ? folded : undefined;
  const json = JSON.stringify([tool.name, sorted(data ?? completed, fold)]);
  return createHash('sha256').update(json).digest('base64');
}

function sorted(value: unknown, fold?: (text: string) => string): unknown {
  if (typeof value === 'string') return fold ? fold(value) : value;
  if (Array.isArray(value)) return value.map((item) => sorted(item, fold));
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key], fold)]);
}

function folded(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain
    .replace(/\s+/g, ' ')
    .replace(/[\s.?!。]+$/, '')
    .trim();
}
