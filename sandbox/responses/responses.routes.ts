import type {
  ResponseCreateParams,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { badRequest, streamTooOld, unknownResponse } from '../wire/api-error';
import { isResearch } from '../writer/request/ask';
import type { Armed } from '../control/armed';
import type { Exchange } from '../wire/http';
import { sendJson } from '../wire/http';
import { newRun } from './new-run';
import { streamRun } from './response-stream';
import type { Run } from './run';
import type { SandboxState } from '../state';
import { checkProtocol, checkRefused } from '../validation/refused-parameters';
import { validateCreate } from '../validation/validate';
import { checkNoQuery, retrieveQuery } from '../validation/validate-query';
import {
  checkMentionsJson,
  checkPairs,
  inputItems,
} from '../validation/validate-input';
import { sendWebhook } from './webhook';

export async function createResponse(
  x: Exchange,
  state: SandboxState,
  armed: Armed,
): Promise<void> {
  checkProtocol(x.body, state.settings);
  checkRefused(x.body, state.settings);
  const params = asServed(validateCreate(x.body, state.settings), state);
  const own = inputItems(params, state.settings.strict_items);
  const context = [...earlierItems(params, state), ...own];
  checkPairs(context);
  checkMentionsJson(params, context);
  const run = newRun(params, own, context, armed.run, state);
  accept(run, state);
  if (await armed.afterCreate()) return;
  if (params.stream) return streamRun(x, run, 0, state, armed.stream);
  if (params.background) return sendJson(x.res, 200, run.response);
  x.res.on('close', () => run.cancel());
  await run.finished;
  sendJson(x.res, 200, run.response);
}

/** Without what the server takes no notice of. */
function asServed(
  params: ResponseCreateParams,
  { settings }: SandboxState,
): ResponseCreateParams {
  return {
    ...params,
    ...(settings.background === 'ignored' && { background: false }),
    ...(!settings.stores && { store: false }),
  };
}

function accept(run: Run, state: SandboxState): void {
  const { stats, settings } = state;
  if (isResearch(run.params)) {
    const id = run.params.metadata?.invocation_id;
    stats.countCreate(id);
    void run.finished.then(() => stats.bill(id, run.response.usage));
  } else stats.turns++;
  state.runs.add(run);
  if (run.params.background && settings.webhook) {
    const { webhook } = settings;
    void run.finished.then(() => sendWebhook(webhook, run.response));
  }
  run.start();
}

/** The input and output of the previous responses, oldest first. */
function earlierItems(
  params: ResponseCreateParams,
  state: SandboxState,
): ResponseInputItem[] {
  const items: ResponseInputItem[][] = [];
  let id = params.previous_response_id;
  while (id) {
    const run = state.runs.get(id);
    if (!run)
      throw badRequest(
        `Previous response with id '${id}' not found.`,
        'previous_response_id',
        'previous_response_not_found',
      );
    items.unshift([
      ...run.ownItems,
      ...(run.response.output as ResponseInputItem[]),
    ]);
    id = run.params.previous_response_id;
  }
  return items.flat();
}

function find(id: string, state: SandboxState): Run {
  const run = state.runs.get(id);
  if (!run) throw unknownResponse(id);
  return run;
}

export function retrieveResponse(
  x: Exchange,
  id: string,
  state: SandboxState,
  armed: Armed,
): void {
  const { stream, starting_after } = retrieveQuery(x.query);
  const run = find(id, state);
  if (!stream) {
    state.stats.retrieves++;
    return sendJson(x.res, 200, run.response);
  }
  for (const wanted of ['background', 'stream'] as const)
    if (run.params[wanted] !== true)
      throw badRequest(
        `This response cannot be streamed because it was not created with ${wanted}=true.`,
      );
  if (Date.now() - run.createdAt > state.settings.stream_window_ms)
    throw streamTooOld();
  state.stats.resumes++;
  streamRun(x, run, (starting_after ?? -1) + 1, state, armed.stream);
}

export function cancelResponse(
  x: Exchange,
  id: string,
  state: SandboxState,
): void {
  checkNoQuery(x.query);
  const run = find(id, state);
  if (run.params.background !== true)
    throw badRequest('Cannot cancel a synchronous response.');
  if (run.done && run.response.status !== 'cancelled')
    throw badRequest(`Cannot cancel a ${run.response.status} response.`);
  state.stats.cancels++;
  run.cancel();
  sendJson(x.res, 200, run.response);
}

export function deleteResponse(
  x: Exchange,
  id: string,
  state: SandboxState,
): void {
  const run = find(id, state);
  state.stats.deletes++;
  state.runs.delete(id);
  run.cancel();
  sendJson(x.res, 200, { id, object: 'response', deleted: true });
}

export function listInputItems(
  x: Exchange,
  id: string,
  state: SandboxState,
): void {
  const run = find(id, state);
  const all = run.ownItems.map((item, i) => ({
    ...item,
    type: item.type ?? 'message',
    id: ('id' in item && item.id) || `msg_${id.slice(5, 45)}${i}`,
  }));
  if (x.query.get('order') !== 'asc') all.reverse();
  const after = x.query.get('after');
  const from = after === null ? 0 : all.findIndex((i) => i.id === after) + 1;
  const limit = Math.min(100, Math.max(1, Number(x.query.get('limit') ?? 20)));
  const data = all.slice(from, from + limit);
  sendJson(x.res, 200, {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < all.length,
  });
}
