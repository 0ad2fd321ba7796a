import { isObject } from './http/api-error.js';
import type { CallOptions } from './http/clock.js';
import { SondeUsageError } from './errors.js';
import { backoff } from './http/retry.js';
import {
  withToolCalling,
  type ToolCallingOptions,
  type ToolCallingResult,
} from './tool-calling.js';
import {
  Transport,
  type Call,
  type TransportOptions,
} from './http/transport.js';
import { modelUrl, pathOf } from './http/urls.js';
import { pollUntil } from './http/poll.js';

/** Default time limit of calls that wait for a model, in milliseconds. */
const LONG_TIMEOUT_MS = 600_000;

export interface ModelClientOptions extends TransportOptions {
  /** Of an OpenAI-compatible endpoint, with or without `/v1`. Plain http is accepted for loopback addresses only. */
  baseUrl: string;
  /** `gpt-4o` unless given. */
  model?: string;
}

export interface ResponseOptions extends CallOptions {
  /** Returns immediately with the status `queued`; see `waitForResponse`. */
  background?: boolean;
  /** Lets the model search the web. */
  webSearch?: boolean;
  instructions?: string;
  /** Prepended to the prompt. */
  context?: string[];
}

export interface CompletionOptions extends CallOptions {
  systemPrompt?: string;
  /** Prepended to the prompt. */
  context?: string[];
}

export interface ModelResponse {
  id: string;
  /** `queued`, `in_progress`, `completed`, `incomplete`, `failed` or `cancelled`. */
  status: string;
  /** Empty until the response has output. */
  output_text: string;
  /** The unmodified response object. */
  response: Record<string, unknown>;
}

export interface ChatCompletion {
  id: string;
  content: string | null;
  /** The unmodified completion object. */
  completion: Record<string, unknown>;
}

/** Calls the model endpoint directly. Every method rejects with a `SondeError`, or with the reason of its `signal`. */
export class ModelClient {
  private readonly transport: Transport;
  private readonly model: string;

  constructor({ baseUrl, model = 'gpt-4o', ...options }: ModelClientOptions) {
    if (typeof baseUrl !== 'string')
      throw new SondeUsageError('baseUrl: not a URL');
    this.transport = new Transport(modelUrl(baseUrl), 'openai', options);
    this.model = model;
  }

  /** Creates a response. Times out after 600 s unless `timeoutMs` is set. A failed response is returned, not thrown. */
  createResponse(
    prompt: string,
    { timeoutMs, signal, ...options }: ResponseOptions = {},
  ): Promise<ModelResponse> {
    const { background, webSearch, instructions, context } = options;
    const body = {
      input: withContext(prompt, context),
      instructions,
      background: background || undefined,
      tools: webSearch ? [{ type: 'web_search' }] : undefined,
    };
    return this.respond(body, { timeoutMs, signal });
  }

  /** Returns the current state of a response. */
  async getResponse(id: string, options?: CallOptions): Promise<ModelResponse> {
    return this.request(
      { method: 'GET', path: responsePath(id), retry: 'any' },
      options,
    );
  }

  /** Waits until a background response has ended. Times out after 3,600 s unless `timeoutMs` is set. */
  async waitForResponse(
    id: string,
    options?: CallOptions,
  ): Promise<ModelResponse> {
    const call = {
      method: 'GET',
      path: responsePath(id),
      retry: 'never',
    } as const;
    return pollUntil(
      (_, limits) => this.request(call, limits),
      (response) => !isInProgress(response),
      backoff,
      options,
    );
  }

  /** Cancels a background response. */
  async cancelResponse(
    id: string,
    options?: CallOptions,
  ): Promise<ModelResponse> {
    const path = `${responsePath(id)}/cancel`;
    return this.request({ method: 'POST', path, retry: 'any' }, options);
  }

  /** Creates a chat completion (`/chat/completions`). Times out after 600 s unless `timeoutMs` is set. */
  async createChatCompletion(
    prompt: string,
    {
      systemPrompt,
      context,
      timeoutMs = LONG_TIMEOUT_MS,
      signal,
    }: CompletionOptions = {},
  ): Promise<ChatCompletion> {
    const system = systemPrompt && [{ role: 'system', content: systemPrompt }];
    const user = { role: 'user', content: withContext(prompt, context) };
    const completion = await this.transport.json<Record<string, unknown>>(
      {
        method: 'POST',
        path: '/chat/completions',
        body: { model: this.model, messages: [...(system || []), user] },
        retry: 'limited',
      },
      { timeoutMs, signal },
    );
    return {
      id: stringOrEmpty(completion.id),
      content: contentOf(completion),
      completion,
    };
  }

  /**
   * Lets the model decide whether to call `deep_research`, which Sonde runs. Times out after 3,600 s unless
   * `timeoutMs` is set.
   */
  createResponseWithToolCalling(
    prompt: string,
    options: ToolCallingOptions,
  ): Promise<ToolCallingResult> {
    return withToolCalling(
      (body, limits) => this.respond(body, limits),
      withContext(prompt, options.context),
      options,
    );
  }

  private respond(
    body: object,
    { timeoutMs = LONG_TIMEOUT_MS, signal }: CallOptions,
  ): Promise<ModelResponse> {
    return this.request(
      {
        method: 'POST',
        path: '/responses',
        body: { model: this.model, ...body },
        retry: 'limited',
      },
      { timeoutMs, signal },
    );
  }

  private async request(
    call: Call,
    options?: CallOptions,
  ): Promise<ModelResponse> {
    const response = await this.transport.json<Record<string, unknown>>(
      call,
      options,
    );
    return {
      id: stringOrEmpty(response.id),
      status: stringOrEmpty(response.status),
      output_text: textOf(response),
      response,
    };
  }
}

export function isInProgress({ status }: ModelResponse): boolean {
  return status === 'queued' || status === 'in_progress';
}

function responsePath(id: string): string {
  return `/responses${pathOf('response id', id)}`;
}

function withContext(prompt: string, context: string[] = []): string {
  return [...context, prompt].join('\n\n');
}

/** Concatenates the `output_text` of all messages. */
function textOf({ output }: Record<string, unknown>): string {
  return objectsIn(output)
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => objectsIn(content))
    .filter(({ type }) => type === 'output_text')
    .map(({ text }) => text)
    .join('');
}

function contentOf({ choices }: Record<string, unknown>): string | null {
  const message = objectsIn(choices)[0]?.message;
  const content = isObject(message) ? message.content : null;
  return typeof content === 'string' ? content : null;
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
