import type { AgentOutputItem, Model } from '@openai/agents';
import type { FunctionCall } from '../turns/model.types';
import { type AgentsRun, type AgentsProtocol, carried } from './agents-run';
import type { AgentsSdk } from './agents-sdk';

/**
 * The model of one run. The SDK reads of a turn only what it decides on: the calls, or the answer. The protocol holds the
 * conversation itself, because the SDK serialises and clones its whole input several times in every turn.
 */
export function modelOf(
  sdk: AgentsSdk,
  run: AgentsRun,
  protocol: AgentsProtocol,
): Model {
  return {
    async getResponse() {
      const { calls, text, unreadable } = await run.take(protocol);
      const output =
        calls.length > 0
          ? [...unreadable, ...calls.map(callItem)]
          : [answerItem(text)];
      return { usage: new sdk.Usage(), output };
    },
    getStreamedResponse() {
      throw new Error('Runs of the SDK are not streamed.');
    },
  };
}

function callItem(call: FunctionCall): AgentOutputItem {
  return { type: 'function_call', status: 'completed', ...carried(call) };
}

function answerItem(text: string): AgentOutputItem {
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
  };
}
