import { Injectable } from '@nestjs/common';
import { checkRoute } from '../../platform/auth/scopes';
import {
  ChatDelivery,
  type ChatForm,
  type OpenAiCall,
} from '../openai/chat-delivery';
import { responseFrames } from './response-events';
import { chatRequestOf, inTermsOfResponse } from './response-input';
import { failed, headOf, newHead, responseOf } from './response-reply';
import { type ChatResponseRequest, readResponseRequest } from './read-response';

/** Chats at `POST /v1/responses`, in the form of OpenAI. */
@Injectable()
export class ChatResponses {
  constructor(private readonly delivery: ChatDelivery) {}

  /** @throws AppError `insufficient_scope`, OpenAiRefusal. */
  async create(call: OpenAiCall): Promise<object | undefined> {
    checkRoute(call.caller.scopes, 'chat');
    const given = readResponseRequest(call.body);
    return this.delivery.deliver(chatRequestOf(given), formOf(given), call);
  }
}

function formOf(given: ChatResponseRequest): ChatForm {
  const head = newHead(given);
  return {
    whole: (reply, record) =>
      responseOf(reply, record ? headOf(record, given) : head),
    failed: (error) => failed(head, error),
    frames: (events) => responseFrames(events, head),
    inTerms: inTermsOfResponse,
  };
}
