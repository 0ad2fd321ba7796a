import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createParser } from 'eventsource-parser';
import { Agent, type Dispatcher } from 'undici';

/** LiteLLM's default, unless its configuration or a header of the request overrides it. */
const RETRIES = 2;
const RETRY_STATUSES = [408, 409, 429, 500, 502, 503, 504];
const ENDS = ['response.completed', 'response.incomplete', 'response.failed'];
const PREFIX =
  'litellm:custom_llm_provider:openai;model_id:sandbox;response_id:';

type Frame = Record<string, unknown>;

/**
 * ⏎ A proxy in front of the upstream that changes requests and replies as LiteLLM does: it retries failures, rewrites error
 * messages, renames responses in every reply, answers a streamed read with the plain object, and appends its own end to
 * a stream that breaks.
 */
export class RetryingProxy {
  private readonly agent = new Agent();

  private constructor(
    private readonly upstream: string,
    private readonly server: Server,
  ) {}

  static async start(upstream: string): Promise<RetryingProxy> {
    const server = createServer();
    const proxy = new RetryingProxy(upstream, server);
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      proxy.answer(req, res).catch(() => res.destroy());
    });
    // Longer than any client idles, so that no request meets a closing connection.
    server.keepAliveTimeout = 75_000;
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await closed;
    await this.agent.destroy();
  }

  private async answer(
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', this.upstream);
    const path = upstreamPath(pathname);
    const body = withPlainIds(await text(req));
    if (path === undefined)
      return sendError(res, 400, 'BadRequestError', 'You passed in model=None');
    const reply = await this.ask(req, path, body).catch(() => undefined);
    if (!reply)
      return sendError(res, 500, 'InternalServerError', 'Server disconnected');
    const { statusCode, headers } = reply;
    if (statusCode >= 400) {
      const wait = headers['retry-after'];
      if (wait) res.setHeader('llm_provider-retry-after', wait);
      return sendError(res, statusCode, 'APIError', await reply.body.text());
    }
    const streams = String(headers['content-type']).startsWith('text/event');
    if (streams) return relay(reply, res, pathname.endsWith('/responses'));
    sendJson(res, 200, renamed((await reply.body.json()) as Frame));
  }

  /** The first reply that is no failure, or the last one. */
  private async ask(
    { method = 'GET', headers }: IncomingMessage,
    path: string,
    body: string,
  ): Promise<Dispatcher.ResponseData> {
    const retries = Number(headers['x-litellm-num-retries'] ?? RETRIES);
    for (let left = retries; ; left -= 1) {
      const reply = await this.agent
        .request({
          origin: this.upstream,
          path,
          method,
          headers: { 'content-type': 'application/json' },
          ...(body !== '' && { body }),
        })
        .catch((error: unknown) => error as Error);
      const failed =
        reply instanceof Error || RETRY_STATUSES.includes(reply.statusCode);
      if (failed && left > 0) continue;
      if (reply instanceof Error) throw reply;
      return reply;
    }
  }
}

/** Without the query, and with the upstream's own response id; undefined if the id is unknown. */
function upstreamPath(path: string): string | undefined {
  const [, before, id, after] =
    /^(.*\/responses\/)([^/]+)(.*)$/.exec(path) ?? [];
  if (id === undefined) return path;
  const plain = plainName(decodeURIComponent(id));
  return plain && before + plain + after;
}

function withPlainIds(body: string): string {
  if (!body.includes('"previous_response_id"')) return body;
  return JSON.stringify(JSON.parse(body), (name, value: unknown) =>
    name === 'previous_response_id' ? plainName(String(value)) : value,
  );
}

function plainName(name: string): string | undefined {
  const encoded = name.replace(/^resp_/, '');
  const plain = Buffer.from(encoded, 'base64').toString();
  if (!plain.startsWith(PREFIX)) return undefined;
  return plain.slice(PREFIX.length).split(';')[0];
}

/** A different id in every reply, all of which resolve to the same response. */
function newName(id: unknown): string {
  const plain = `${PREFIX}${String(id)};${Math.random()}`;
  return `resp_${Buffer.from(plain).toString('base64')}`;
}

function renamed(value: Frame): Frame {
  return value.object === 'response'
    ? { ...value, id: newName(value.id) }
    : value;
}

/** Frames without event names, and an end in any case. */
async function relay(
  reply: Dispatcher.ResponseData,
  res: ServerResponse,
  isResponse: boolean,
): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.flushHeaders();
  res.on('close', () => reply.body.destroy());
  let ended = !isResponse;
  let next = 0;
  let last: Frame = { id: `resp_${'0123456789abcdef'.repeat(2)}` };
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') return;
      // Throws for invalid JSON, which breaks the stream as in LiteLLM.
      const frame = JSON.parse(data) as Frame;
      if (ENDS.includes(String(frame.type))) ended = true;
      if (typeof frame.sequence_number === 'number')
        next = frame.sequence_number + 1;
      if (frame.response) {
        last = renamed(frame.response as Frame);
        frame.response = last;
      }
      res.write(`data: ${JSON.stringify(frame)}\n\n`);
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of reply.body as AsyncIterable<Uint8Array>)
      parser.feed(decoder.decode(chunk, { stream: true }));
  } catch {
    // Reported below, unless the end came before.
  }
  if (!ended) {
    const message =
      'Response payload is not completed: <TransferEncodingError: 400>';
    const failed = {
      type: 'response.failed',
      sequence_number: next,
      response: {
        ...last,
        object: 'response',
        output: [],
        status: 'failed',
        error: { code: 'server_error', message },
      },
    };
    res.write(`event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`);
  }
  res.end('data: [DONE]\n\n');
}

function sendError(
  res: ServerResponse,
  status: number,
  kind: string,
  receivedText: string,
): void {
  const message = `litellm.${kind}: ${kind}: OpenAIException - ${receivedText}\n\nLiteLLM: model group 'sandbox' failed with the error above.`;
  const type =
    status >= 500 ? 'internal_server_error' : 'invalid_request_error';
  sendJson(res, status, {
    error: { message, type, param: null, code: String(status) },
  });
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}
