import type {
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { Ask } from '../writer/request/ask';
import { cutText } from '../writer/text/citations';
import { compose } from '../writer/compose';
import type { Fault } from '../control/fault';
import type { Ending, Plan } from './script';
import { newId } from '../wire/ids';
import { countTokens, usageOf } from './usage';

/** One token. */
const THOUGHT = 'hmm ';

/** The items of a run and how it ends, with its faults and the limits of the request applied. */
export function planRun(ask: Ask, faults: Fault[], ms: number): Plan {
  const { thinks = 0, maxOutputTokens } = ask;
  const composed = faults.reduce(alterItems, compose(ask));
  const thought = Math.min(thinks, maxOutputTokens);
  // A call has no tokens of its own here, but none comes before the end of the thoughts.
  const limited =
    thinks > 0 && thought === maxOutputTokens
      ? []
      : limitTokens(composed, maxOutputTokens - thought);
  const ending =
    faults.map(endingOf).find((e) => e !== undefined) ??
    (limited === composed
      ? ({ status: 'completed' } as const)
      : ({ status: 'incomplete', reason: 'max_output_tokens' } as const));
  const length = faults.find((f) => f.kind === 'slow')?.ms ?? ms;
  const pause = faults.find((f) => f.kind === 'pause')?.fraction;
  return {
    items: thought > 0 ? [thoughtOf(thought), ...limited] : limited,
    ending,
    usage: {
      ...usageOf(ask, limited, thought),
      ...costOf(faults),
    },
    ms: length,
    pauseAt: pause === undefined ? undefined : pause * length,
  };
}

const thoughtOf = (tokens: number): ResponseReasoningItem => ({
  id: newId('rs'),
  type: 'reasoning',
  summary: [],
  content: [{ type: 'reasoning_text', text: THOUGHT.repeat(tokens) }],
});

/** What gateways report beside the tokens: any JSON. */
function costOf(faults: Fault[]): { cost?: unknown } {
  const cost = faults.find((f) => f.kind === 'cost')?.usage;
  return cost === undefined ? {} : { cost };
}

function alterItems(
  items: ResponseOutputItem[],
  fault: Fault,
): ResponseOutputItem[] {
  switch (fault.kind) {
    case 'empty':
    case 'failed':
    case 'error_event':
      return items.filter((item) => item.type !== 'message');
    case 'incomplete':
      return items.map((item) =>
        item.type === 'message'
          ? cutMessage(item, fault.fraction ?? 0.5)
          : item,
      );
    case 'text_bytes':
      return items.map((item) =>
        item.type === 'message' ? padMessage(item, fault.bytes ?? 0) : item,
      );
    default:
      return items;
  }
}

function endingOf(fault: Fault): Ending | undefined {
  const error = {
    code: fault.code ?? 'server_error',
    message: fault.message ?? 'The sandbox is configured to fail this run.',
  };
  switch (fault.kind) {
    case 'incomplete':
      return {
        status: 'incomplete',
        reason:
          fault.reason === 'content_filter'
            ? 'content_filter'
            : 'max_output_tokens',
      };
    case 'failed':
      return { status: 'failed', error };
    case 'error_event':
      return {
        status: 'failed',
        error,
        frame: fault.nested === false ? 'flat' : 'nested',
      };
    case 'cancelled_by_upstream':
      return { status: 'cancelled' };
    case 'stay':
      return {
        status: 'never',
        stuck: fault.status === 'queued' ? 'queued' : 'in_progress',
      };
    default:
      return undefined;
  }
}

/** Returns the same array if the text fits. */
function limitTokens(
  items: ResponseOutputItem[],
  most: number,
): ResponseOutputItem[] {
  const text = items.map(textIn).join('');
  const tokens = countTokens(text);
  if (tokens <= most) return items;
  return items.map((item) =>
    item.type === 'message' ? cutMessage(item, most / tokens) : item,
  );
}

function textIn(item: ResponseOutputItem): string {
  if (item.type !== 'message') return '';
  return item.content
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');
}

const cutMessage = (
  item: ResponseOutputMessage,
  fraction: number,
): ResponseOutputMessage => ({
  ...item,
  status: 'incomplete',
  content: item.content.map((part) =>
    part.type === 'output_text'
      ? cutText(part, Math.floor(Array.from(part.text).length * fraction))
      : part,
  ),
});

const PADDING = 'The sandbox pads this report to the configured size.\n';

/** Padding is appended, where it moves no citation. */
const padMessage = (
  item: ResponseOutputMessage,
  bytes: number,
): ResponseOutputMessage => ({
  ...item,
  content: item.content.map((part) => {
    if (part.type !== 'output_text') return part;
    const missing = bytes - Buffer.byteLength(part.text);
    const padding = PADDING.repeat(
      Math.ceil(Math.max(0, missing) / PADDING.length),
    );
    return {
      ...part,
      text: part.text + padding.slice(0, Math.max(0, missing)),
    };
  }),
});
