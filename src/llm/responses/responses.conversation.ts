import type {
  Response,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { resultMessages } from '../turns/assistant.message';
import type { CalledTurn } from '../model.types';
import { toInputItems } from './responses.input';
import { readCalls } from './responses.output';

/** One conversation of several turns: what was said so far, and which part of it the endpoint has not heard yet. */
export class ResponsesConversation {
  private unheard: ResponseInputItem[] = [];
  /** The last response, if the endpoint gave it a name to be remembered by. */
  previousId?: string;

  constructor(private readonly items: ResponseInputItem[]) {}

  /** The response with everything in it, reasoning too: a call without its reasoning is refused. */
  add(response: Response, outputs: CalledTurn['outputs']): void {
    const said = (response.output ?? []) as ResponseInputItem[];
    this.unheard = toInputItems(resultMessages(readCalls(response), outputs));
    this.items.push(...said, ...this.unheard);
    this.previousId = response.id || undefined;
  }

  /** For an endpoint that remembers. */
  rest(): { previous_response_id: string; input: ResponseInputItem[] } {
    return { previous_response_id: this.previousId!, input: this.unheard };
  }

  /** For an endpoint that does not. */
  whole(): { input: ResponseInputItem[] } {
    return { input: this.items };
  }
}
