import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, unknownModel } from './wire/api-error';
import { createChatCompletion } from './chat-completions/chat-completions.routes';
import { control } from './control/control.routes';
import { createEmbedding } from './embeddings/embeddings.routes';
import type { Exchange } from './wire/http';
import { readBody, sendError, sendJson, setUpstreamHeaders } from './wire/http';
import type { FailedCreate } from './wire/litellm-wording';
import { createOf } from './wire/litellm-wording';
import { parseBody } from './wire/json';
import { listModels } from './responses/models';
import { strikeReply } from './control/reply-faults';
import { factsOf } from './control/request-facts';
import type { Armed } from './control/armed';
import {
  cancelResponse,
  createResponse,
  deleteResponse,
  listInputItems,
  retrieveResponse,
} from './responses/responses.routes';
import type { SandboxState } from './state';
import { isPage, servePage } from './web/pages.routes';
import { search } from './web/search.routes';

const PREFIX = /^\/(openai\/)?v1(?=\/)/;

export async function route(
  req: IncomingMessage,
  res: ServerResponse,
  state: SandboxState,
): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://sandbox');
  const method = req.method ?? 'GET';
  const path = url.pathname.replace(PREFIX, '');
  setUpstreamHeaders(res);
  let create: FailedCreate | undefined;
  try {
    const raw = await readBody(req);
    if (path === '/' || path.startsWith('/sandbox/')) {
      const body = parseBody(raw);
      return control(
        { req, res, method, path, query: url.searchParams, raw, body },
        state,
      );
    }
    const line = state.stats.begin(
      method,
      path,
      path === '/search' ? (url.searchParams.get('q') ?? '') : undefined,
    );
    res.on('close', () => (line.status = res.headersSent ? res.statusCode : 0));
    const body = parseBody(raw);
    create = method === 'POST' ? createOf(path, body) : undefined;
    const x = { req, res, method, path, query: url.searchParams, raw, body };
    await answer(x, state);
  } catch (error) {
    sendError(res, error, state.settings, create);
  }
}

async function answer(x: Exchange, state: SandboxState): Promise<void> {
  const facts = factsOf(x, state);
  if (facts.create) state.stats.keepBody(x.path, x.req.headers, x.body);
  if (isLoading(x, state)) return sendJson(x.res, 503, LOADING);
  const fault = state.faults.take('reply', facts).at(0);
  if (fault && !fault.after_create && (await strikeReply(fault, x, state)))
    return;
  const armed: Armed = {
    run: state.faults.take('run', facts),
    search: state.faults.take('search', facts).at(0),
    stream: state.faults.take('stream', facts),
    afterCreate: async () =>
      fault?.after_create === true && strikeReply(fault, x, state),
  };
  const inHeader = armed.run.find(({ kind }) => kind === 'cost')?.header;
  if (inHeader !== undefined)
    x.res.setHeader('x-litellm-response-cost', inHeader);
  if (facts.create) await state.slots.take(x.res, state.settings.slots);
  if (x.res.destroyed) return;
  return dispatch(x, state, armed);
}

/** As llama-server says it, which lists its models in the meantime. */
const LOADING = {
  error: { code: 503, message: 'Loading model', type: 'unavailable_error' },
};

function isLoading({ path }: Exchange, state: SandboxState): boolean {
  const { settings } = state;
  if (settings.loading === 0 || !/^\/(responses|chat|embeddings)/.test(path))
    return false;
  state.settings = { ...settings, loading: settings.loading - 1 };
  return true;
}

async function dispatch(
  x: Exchange,
  state: SandboxState,
  armed: Armed,
): Promise<void> {
  if (isPage(x.method, x.path)) return servePage(x);
  const [, resource, name, action] = x.path.split('/');
  const id = decodeURIComponent(name ?? '');
  switch (
    `${x.method} ${[resource, id && '*', action].filter(Boolean).join('/')}`
  ) {
    case 'POST responses':
      return createResponse(x, state, armed);
    case 'GET responses/*':
      return retrieveResponse(x, id, state, armed);
    case 'DELETE responses/*':
      return deleteResponse(x, id, state);
    case 'POST responses/*/cancel':
      return cancelResponse(x, id, state);
    case 'GET responses/*/input_items':
      return listInputItems(x, id, state);
    case 'POST chat/*':
      if (id === 'completions') return createChatCompletion(x, state, armed);
      break;
    case 'POST embeddings':
      return createEmbedding(x, state, armed);
    case 'GET search':
      return search(x, armed.search);
    case 'GET models/*': {
      const model = listModels(state.settings).find((m) => m.id === id);
      if (!model) throw unknownModel(id);
      return sendJson(x.res, 200, model);
    }
    case 'GET models':
      return sendJson(x.res, 200, {
        object: 'list',
        data: listModels(state.settings),
      });
  }
  throw new ApiError(404, `Invalid URL (${x.method} ${x.path})`);
}
