import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import type { ProgressKind } from '../../runs/run';

export interface Step {
  kind: ProgressKind;
  /** What was searched, opened, run or thought; may be empty. At most 500 characters. */
  detail: string;
  /** A call of a hosted tool that is charged for. */
  call: boolean;
}

const MAX_DETAIL = 500;

/** What a finished output item says about the progress of a run; nothing for messages and what nobody knows. */
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
            item.summary.map(({ text }) => text).join('\n'),
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

/** Any field of an action may be missing, and old gateways say `find`. */
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
