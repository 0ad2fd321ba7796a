import type { FunctionCall } from '../../llm/turns/model.types';
import { parseCallArguments } from '../../platform/message/call-arguments';
import type { ToolDescription } from '../../platform/message/tool-description';
import type { ChatRequest } from '../dto/chat.dto';
import { withResult } from './result-schema';

/** The functions that the caller of a chat runs itself: a call of one ends the chat and is handed back. */
export class CallerFunctions {
  readonly descriptions: readonly ToolDescription[];
  private readonly names: ReadonlySet<string>;

  constructor(functions: NonNullable<ChatRequest['functions']>) {
    this.descriptions = functions.map(
      ({ name, description, parameters, returns, strict }) => ({
        name,
        description: withResult(description ?? '', returns),
        parameters: parameters ?? { type: 'object', properties: {} },
        strict: strict ?? false,
      }),
    );
    this.names = new Set(functions.map(({ name }) => name));
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  /** False for a call whose arguments are not a JSON object: the model corrects it. */
  handsBack({ name, arguments: json }: FunctionCall): boolean {
    return this.has(name) && parseCallArguments(json) !== null;
  }
}
