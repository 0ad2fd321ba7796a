import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { isObject } from '../../../platform/message/call-arguments';
import type { BoughtRun } from '../research-protocol';

/**
 * Whether a response that an endpoint answers with belongs to the run. The id of the run, which its create put into
 * `metadata`, decides: a proxy may name a response differently in every reply. Without it, the id of the response does.
 */
export function belongsTo(
  { id: runId, upstreamId }: Partial<BoughtRun>,
  response: unknown,
): boolean {
  const { id, metadata } = isObject(response) ? response : {};
  const named = isObject(metadata) ? metadata.invocation_id : undefined;
  if (named !== undefined) return named === runId;
  return [undefined, null, upstreamId].includes(id as string);
}

/** The events of a stream up to the first one of a response that is not that of the run. */
export function ownEvents(
  bought: BoughtRun,
  events: ResponseStreamEvent[],
): ResponseStreamEvent[] {
  const foreign = events.findIndex(
    (event) => 'response' in event && !belongsTo(bought, event.response),
  );
  return foreign < 0 ? events : events.slice(0, foreign);
}

/** Any status but the four final ones counts as not final, known or unknown. */
export function isOver({ status }: Response): boolean {
  return ['completed', 'failed', 'cancelled', 'incomplete'].includes(
    status ?? '',
  );
}
