import { isObject } from './api-error.js';
import type { CallOptions } from './clock.js';
import { SondeUsageError } from './errors.js';
import { backoff } from './retry.js';
import {
  withToolCalling,
  type ToolCallingOptions,
  type ToolCallingResult,
} from './tool-calling.js';
import { Transport, type Call, type TransportOptions } from './transport.js';
import { modelUrl, pathOf } from './urls.js';
import { untilFinal } from './wait.js';

/** How long an answer may take, in milliseconds. */
const LONG = 600_000;

export interface ModelClientOptions extends TransportOptions {
  /** Of an OpenAI-compatible endpoint, with or without `/v1`. Plain http only to this machine. */
  baseUrl: string;
  /** `gpt-4o` unless given. */
  model?: string;
}

export interface ResponseOptions extends CallOptions {
  /** Returns at once, with a status of `queued`; see `waitForResponse`. */
  background?: boolean;
  /** Lets the model search the web. */
  webSearch?: boolean;
  instructions?: string;
  /** Put before the prompt. */
  context?: string[];
}

export interface CompletionOptions extends CallOptions {
  systemPrompt?: string;
  /** Put before the prompt. */
  context?: string[];
}

export interface ModelResponse {
  id: string;
  /** `queued`, `in_progress`, `completed`, `incomplete`, `failed` or `cancelled`. */
  status: string;
  /** Empty while there is none. */
  output_text: string;
  /** As the endpoint sent it. */
  response: Record<string, unknown>;
}

export interface ChatCompletion {
  id: string;
  content: string | null;
  /** As the endpoint sent it. */
  completion: Record<string, unknown>;
}

/** Talks to the model endpoint itself. Every method rejects with a `SondeError`, or with the reason of its `signal`. */
export class ModelClient {
  private readonly transport: Transport;
  private readonly model: string;

  constructor({ baseUrl, model = 'gpt-4o', ...options }: ModelClientOptions) {
    if (typeof baseUrl !== 'string')
      throw new SondeUsageError('baseUrl: not a URL');
    this.transport = new Transport(modelUrl(baseUrl), 'openai', options);
    this.model = model;
  }

  /** The answer to a prompt; waits 600 s unless `timeoutMs` says otherwise. A response that failed is returned as it is. */
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

  /** A response as it is now. */
  async getResponse(id: string, options?: CallOptions): Promise<ModelResponse> {
    return this.ask(
      { method: 'GET', path: responsePath(id), retry: 'any' },
      options,
    );
  }

  /** A background response once it has ended; 3,600 s unless `timeoutMs` says otherwise. */
  async waitForResponse(
    id: string,
    options?: CallOptions,
  ): Promise<ModelResponse> {
    const call = {
      method: 'GET',
      path: responsePath(id),
      retry: 'never',
    } as const;
    return untilFinal(
      (_, limits) => this.ask(call, limits),
      (response) => !isUnderWay(response),
      backoff,
      options,
    );
  }

  /** Stops a background response. */
  async cancelResponse(
    id: string,
    options?: CallOptions,
  ): Promise<ModelResponse> {
    const path = `${responsePath(id)}/cancel`;
    return this.ask({ method: 'POST', path, retry: 'any' }, options);
  }

  /** The answer of `/chat/completions`; waits 600 s unless `timeoutMs` says otherwise. */
  async createChatCompletion(
    prompt: string,
    { systemPrompt, context, timeoutMs = LONG, signal }: CompletionOptions = {},
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
      id: textIn(completion.id),
      content: contentOf(completion),
      completion,
    };
  }

  /** Lets the model decide whether it needs a `deep_research`, which Sonde runs; 3,600 s unless `timeoutMs` says otherwise. */
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
    { timeoutMs = LONG, signal }: CallOptions,
  ): Promise<ModelResponse> {
    return this.ask(
      {
        method: 'POST',
        path: '/responses',
        body: { model: this.model, ...body },
        retry: 'limited',
      },
      { timeoutMs, signal },
    );
  }

  private async ask(call: Call, options?: CallOptions): Promise<ModelResponse> {
    const response = await this.transport.json<Record<string, unknown>>(
      call,
      options,
    );
    return {
      id: textIn(response.id),
      status: textIn(response.status),
      output_text: textOf(response),
      response,
    };
  }
}

export function isUnderWay({ status }: ModelResponse): boolean {
  return status === 'queued' || status === 'in_progress';
}

function responsePath(id: string): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new SondeUsageError('response id: not a valid id');
  return `/responses${pathOf(id)}`;
}

function withContext(prompt: string, context: string[] = []): string {
  return [...context, prompt].join('\n\n');
}

/** The `output_text` of all messages, joined. */
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

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
