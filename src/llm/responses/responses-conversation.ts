import type { Response } from 'openai/resources/responses/responses';
import { resultMessages } from '../turns/assistant-message';
import type { ToolOutputs } from '../turns/model.types';
import { type InputItem, sentBack, toInputItems } from './responses-input';
import { readCalls } from './responses-output';
import { sentBackItems } from './responses-text';

/** One conversation of several turns: all its items, and those that the endpoint has not received yet. */
export class ResponsesConversation {
  private unsent: InputItem[] = [];
  /** The id of the last response, if the endpoint gave it one. */
  previousId?: string;

  constructor(private readonly items: InputItem[]) {}

  /** Adds the response with all its items, reasoning included: a call without its reasoning is refused. */
  add(response: Response, outputs: ToolOutputs['outputs']): void {
    const output = sentBackItems(response).map(sentBack);
    this.unsent = toInputItems(resultMessages(readCalls(response), outputs));
    this.items.push(...output, ...this.unsent);
    this.previousId = response.id || undefined;
  }

  /** Input for an endpoint that stores responses. */
  continuation(): { previous_response_id: string; input: InputItem[] } {
    return { previous_response_id: this.previousId!, input: this.unsent };
  }

  /** Input for an endpoint that does not. */
  complete(): { input: InputItem[] } {
    return { input: this.items };
  }
}
