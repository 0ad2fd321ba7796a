import { Injectable } from '@nestjs/common';
import type {
  Response,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import type { Message } from '../message/message';
import type { ToolDescription } from '../message/tool-description';
import { ResponsesConversation } from './responses.conversation';
import { toFunctionTools, toInputItems } from './responses.items';
import {
  addUsage,
  type FunctionCall,
  type ModelUsage,
  readCalls,
  readText,
} from './responses.reply';
import { withRetries } from './retry';
import { TurnClock } from './turn.clock';
import { UpstreamClient } from './upstream.client';
import { UpstreamError } from './upstream.error';

/** Turns of one conversation at the most. In the last one the model is told to answer without tools. */
export const MAX_TURNS = 10;

export interface ModelRequest {
  model: string;
  input: readonly Message[];
  tools: readonly ToolDescription[];
  /** Gives what the model is told. All calls of a turn are made at once. */
  callTool(call: FunctionCall): Promise<string>;
  /** Asked when the calls of a turn are done: true if no further turn is wanted. */
  stopWhen?(): boolean;
  signal: AbortSignal;
}

export interface ModelAnswer {
  /** Null if a turn failed, or if no further one was wanted. */
  text: string | null;
  failure: AppError | null;
  /** Of the last response, and the sum of all. */
  responseId: string | null;
  usage: ModelUsage | null;
}

/** Function calling over the Responses API. */
@Injectable()
export class ResponsesEngine {
  /** Models whose endpoint does not remember responses: it is told the whole conversation every time. */
  private readonly forgetful = new Set<string>();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: AppConfig,
  ) {}

  /** @throws the signal's reason, or what `callTool` throws. A failing turn is part of the answer. */
  async run(request: ModelRequest): Promise<ModelAnswer> {
    const { model, signal } = request;
    const conversation = new ResponsesConversation(toInputItems(request.input));
    const tools = toFunctionTools(request.tools);
    const answer: ModelAnswer = {
      text: null,
      failure: null,
      responseId: null,
      usage: null,
    };
    try {
      for (let turn = 1; ; turn += 1) {
        const last = turn === MAX_TURNS;
        const body = {
          model,
          ...(tools.length > 0 && { tools }),
          ...(last && tools.length > 0 && { tool_choice: 'none' }),
        };
        const response = await this.takeTurn(body, conversation, signal);
        answer.responseId = response.id || answer.responseId;
        answer.usage = addUsage(answer.usage, response);
        const calls = readCalls(response);
        if (calls.length === 0 || last) {
          return { ...answer, text: readText(response) };
        }
        const outputs = await callAll(calls, request);
        signal.throwIfAborted();
        if (request.stopWhen?.()) return answer;
        if (!keepsResponses(response)) this.forgetful.add(model);
        conversation.add(response, outputs);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      return { ...answer, failure: error };
    }
  }

  private async takeTurn(
    body: { model: string },
    conversation: ResponsesConversation,
    signal: AbortSignal,
  ): Promise<Response> {
    const clock = new TurnClock(this.config.upstream.turnTimeoutMs, signal);
    try {
      if (!conversation.previousId || this.forgetful.has(body.model)) {
        return await this.post({ ...body, ...conversation.whole() }, clock);
      }
      try {
        return await this.post({ ...body, ...conversation.rest() }, clock);
      } catch (error) {
        if (!mayHaveForgotten(error)) throw error;
        const response = await this.post(
          { ...body, ...conversation.whole() },
          clock,
        );
        this.forgetful.add(body.model);
        return response;
      }
    } finally {
      clock.stop();
    }
  }

  private post(body: object, clock: TurnClock): Promise<Response> {
    return withRetries(clock, async () => {
      const response = await this.upstream.json<Response | null>({
        method: 'POST',
        path: '/responses',
        body,
        signal: clock.signal,
      });
      if (typeof response === 'object' && response !== null) return response;
      throw new UpstreamError('upstream_error', 'unknown');
    });
  }
}

function callAll(
  calls: FunctionCall[],
  request: ModelRequest,
): Promise<ResponseInputItem[]> {
  return Promise.all(
    calls.map(async (call) => ({
      type: 'function_call_output' as const,
      call_id: call.callId,
      output: await request.callTool(call),
    })),
  );
}

/** Some endpoints say that they keep nothing, and then take ids of responses without a word. */
function keepsResponses(response: Response): boolean {
  return (response as { store?: boolean }).store !== false;
}

/**
 * Gateways that do not keep responses refuse their ids in many words, or miss the call that an output belongs to. What
 * cannot be told apart by words is told apart by sending everything once.
 */
function mayHaveForgotten(error: unknown): boolean {
  return (
    error instanceof UpstreamError &&
    error.code !== 'model_not_found' &&
    [400, 404, 422].includes(error.fault.status ?? 0)
  );
}
