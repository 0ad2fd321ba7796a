import { Injectable } from '@nestjs/common';
import { checkRoute } from '../../platform/auth/scopes';
import {
  type CompletionRequest,
  readCompletionRequest,
} from '../../platform/http/openai/completion-request';
import {
  failedCompletion,
  headOf,
  newHead,
} from '../../platform/http/openai/completion-shape';
import {
  ChatDelivery,
  type ChatForm,
  type OpenAiCall,
} from '../openai/chat-delivery';
import { completionOf } from './chat-completion';
import { chunkFrames } from './completion-chunks';
import { chatRequestOf, inTermsOfCompletion } from './completion-input';

/** Chats at `POST /v1/chat/completions`: with the tools of Sonde and the functions of the caller. */
@Injectable()
export class ChatCompletions {
  constructor(private readonly delivery: ChatDelivery) {}

  /** @throws AppError `insufficient_scope`, OpenAiRefusal. */
  async create(call: OpenAiCall): Promise<object | undefined> {
    checkRoute(call.caller.scopes, 'chat');
    const given = readCompletionRequest(call.body);
    return this.delivery.deliver(chatRequestOf(given), formOf(given), call);
  }
}

function formOf({ model, stream_options }: CompletionRequest): ChatForm {
  const head = newHead(model);
  const usage = stream_options?.include_usage === true;
  return {
    whole: (reply, record) =>
      completionOf(
        reply,
        record ? headOf(record.id, record.createdMs, model) : head,
      ),
    failed: (error) => failedCompletion(error, head),
    frames: (events) => chunkFrames(events, head, usage),
    inTerms: inTermsOfCompletion,
  };
}
