import type {
  Response,
  ResponseOutputItem,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { EventDraft } from './item-events';
import { eventsOf } from './item-events';

export interface RunFailure {
  code: string;
  message: string;
}

/** How a run ends. `never` stays in the named status until it is cancelled. */
export type Ending =
  | { status: 'completed' }
  | { status: 'incomplete'; reason: 'max_output_tokens' | 'content_filter' }
  | { status: 'failed'; error: RunFailure; frame?: 'flat' | 'nested' }
  | { status: 'cancelled' }
  | { status: 'never'; stuck: 'queued' | 'in_progress' };

/** The complete course of a run, decided at its start; only time passes afterwards. */
export interface Plan {
  items: ResponseOutputItem[];
  ending: Ending;
  usage: ResponseUsage;
  /** Milliseconds from start to end. */
  ms: number;
  /** Where it stops, in milliseconds from its start, until faults are cleared. */
  pauseAt?: number;
}

export type LifecycleType =
  | 'response.created'
  | 'response.queued'
  | 'response.in_progress'
  | 'response.completed'
  | 'response.failed'
  | 'response.incomplete';

export type Patch = Omit<Partial<Response>, 'usage' | 'error'> & {
  usage?: ResponseUsage | null;
  error?: RunFailure;
};

/** A step `at` ms after the start: an event, an error frame, or a change of the response itself. */
export type Step = { at: number } & (
  | { kind: 'event'; event: EventDraft }
  | { kind: 'error'; error: RunFailure; nested: boolean }
  | { kind: 'lifecycle'; type: LifecycleType; patch: Patch }
);

const SEARCHING_SHARE = 0.6;

export function scriptOf(plan: Plan, background: boolean): Step[] {
  const { items, ending, ms } = plan;
  const steps: Step[] = [
    {
      at: 0,
      kind: 'lifecycle',
      type: 'response.created',
      patch: { status: background ? 'queued' : 'in_progress' },
    },
  ];
  if (background)
    steps.push({
      at: 0,
      kind: 'lifecycle',
      type: 'response.queued',
      patch: {},
    });
  if (ending.status === 'never' && ending.stuck === 'queued') return steps;
  steps.push({
    at: background ? ms * 0.03 : 0,
    kind: 'lifecycle',
    type: 'response.in_progress',
    patch: { status: 'in_progress' },
  });
  const body = spread(items, ms);
  if (ending.status === 'never')
    return [...steps, ...body.slice(0, Math.ceil(body.length / 4))];
  return [...steps, ...body, ...endSteps(ending, plan)];
}

/** Searches and reasoning take the first part of the time, the text the rest. */
function spread(items: ResponseOutputItem[], ms: number): Step[] {
  const before = items.filter((item) => item.type !== 'message');
  const textFrom = before.length > 0 ? SEARCHING_SHARE : 0.1;
  return items.flatMap((item, index) => {
    const events = eventsOf(item, index);
    const [from, to] =
      item.type === 'message'
        ? [textFrom, 1]
        : [
            0.05 + (textFrom - 0.05) * (index / before.length),
            0.05 + (textFrom - 0.05) * ((index + 1) / before.length),
          ];
    return events.map((event, n): Step => ({
      at: ms * (from + (to - from) * ((n + 1) / events.length)),
      kind: 'event',
      event,
    }));
  });
}

function endSteps(
  ending: Exclude<Ending, { status: 'never' }>,
  { usage, ms }: Plan,
): Step[] {
  switch (ending.status) {
    case 'completed':
      return [
        {
          at: ms,
          kind: 'lifecycle',
          type: 'response.completed',
          patch: { status: 'completed', usage },
        },
      ];
    case 'incomplete':
      return [
        {
          at: ms,
          kind: 'lifecycle',
          type: 'response.incomplete',
          patch: {
            status: 'incomplete',
            incomplete_details: { reason: ending.reason },
            usage,
          },
        },
      ];
    case 'cancelled':
      return [
        {
          at: ms,
          kind: 'lifecycle',
          type: 'response.failed',
          patch: { status: 'cancelled' },
        },
      ];
    case 'failed': {
      const { error, frame } = ending;
      const failed: Step = {
        at: ms,
        kind: 'lifecycle',
        type: 'response.failed',
        patch: { status: 'failed', error },
      };
      return frame
        ? [{ at: ms, kind: 'error', error, nested: frame === 'nested' }, failed]
        : [failed];
    }
  }
}
