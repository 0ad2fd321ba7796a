import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import type { ProgressKind } from '../../../runs/record/progress';
import { plainText } from './plain-text';

/** A step of a run, as its events and its record report it. */
export interface Step {
  kind: ProgressKind;
  /** The query, address, code or thought; may be empty. At most 500 characters. */
  detail: string;
  /** A call of a hosted tool that the endpoint charges for. */
  call: boolean;
}

const MAX_DETAIL = 500;

/** The step that a finished output item stands for; undefined for messages and unknown items. */
export function stepOf(item: ResponseOutputItem): Step | undefined {
  switch (item.type) {
    case 'web_search_call':
      return webStep(item.action as WebAction | undefined);
    case 'code_interpreter_call':
      return step('code_interpreter', item.code, true);
    case 'file_search_call':
      return step('file_search', item.queries?.join(', '), true);
    case 'mcp_call':
      return step('mcp', `${item.server_label}: ${item.name}`, true);
    case 'reasoning':
      return item.summary?.length
        ? step(
            'reasoning',
            plainText(item.summary.map(({ text }) => text).join('\n\n')),
            false,
          )
        : undefined;
    default:
      return undefined;
  }
}

interface WebAction {
  type?: string;
  query?: string;
  queries?: string[];
  url?: string | null;
  pattern?: string;
}

/** Any field of an action may be missing, and old gateways send `find`. */
function webStep(action: WebAction = {}): Step {
  switch (action.type) {
    case 'open_page':
      return step('open_page', action.url, false);
    case 'find_in_page':
    case 'find':
      return step('find_in_page', action.pattern, false);
    default:
      return step(
        'web_search',
        action.queries?.join(', ') ?? action.query,
        true,
      );
  }
}

function step(
  kind: ProgressKind,
  detail: string | null | undefined,
  call: boolean,
): Step {
  return {
    kind,
    detail: (detail ?? '').slice(0, MAX_DETAIL).toWellFormed(),
    call,
  };
}

const QUEUE_REASONS = {
  model: 'The model runs as many as it may',
  worker: 'The workers carry as many as they may',
  key: 'The API key has as many under way as it may',
  budget: 'The budget of the API key is spent',
};

export type QueueReason = keyof typeof QUEUE_REASONS;

/** The detail of a `waiting` step of a run that has no place yet. `ahead`: waiting runs of the same key. */
export function queuedDetail(reason: QueueReason, ahead: number): string {
  return `${QUEUE_REASONS[reason]}; ${ahead} more wait in front`;
}
