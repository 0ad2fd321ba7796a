import type { FunctionTool } from '@openai/agents';
import { textOf } from '../../message/part.text';
import type { ToolDescription } from '../../message/tool-description';
import { AgentsOverCompletions } from './agents.completions';
import { AgentsOverResponses } from './agents.responses';
import { AgentsRun } from './agents.run';
import { agentsSdk } from './agents.sdk';
import type { CompletionsEngine } from '../completions/completions.engine';
import type { ModelAnswer, ModelRequest } from '../model.types';
import { ResponsesEngine } from '../responses/responses.engine';
import { DeltaEmitter } from '../turns/delta.emitter';

/**
 * The loop of the OpenAI Agents SDK, over either protocol. Its own models write what is sent and read what comes, through
 * a client that is ours: what leaves this process, and how often it is tried again, is the same as without the SDK.
 */
export class AgentsEngine {
  constructor(private readonly engine: ResponsesEngine | CompletionsEngine) {}

  /**
   * @throws the signal's reason, or what `callTools` throws. A failing turn is part of the answer, and so is an SDK that
   * fails: that is an `AgentsFailure`.
   */
  async run(
    request: ModelRequest,
    telling = new DeltaEmitter(request.tell),
  ): Promise<ModelAnswer> {
    const { engine } = this;
    const { maxTurns } = engine;
    const { signal } = request;
    const run = new AgentsRun(request, telling, maxTurns);
    const protocol =
      engine instanceof ResponsesEngine
        ? new AgentsOverResponses(engine, request, run)
        : new AgentsOverCompletions(engine, request, run);
    try {
      const sdk = await agentsSdk();
      signal.throwIfAborted();
      const agent = new sdk.Agent({
        name: 'chat',
        model: protocol.model(sdk),
        tools: request.tools.map((tool) =>
          sdkTool(tool, async (callId) =>
            protocol.output(callId, await run.output(callId)),
          ),
        ),
        toolUseBehavior: () => ({
          isFinalOutput: run.done,
          isInterrupted: undefined,
          finalOutput: '',
        }),
      });
      await sdk.runner.run(agent, protocol.input(), {
        maxTurns,
        signal,
        // An error would be printed here and passed over; it is thrown where the next turn would begin.
        toolErrorFormatter: ({ callId }) =>
          run.output(callId).then(textOf, () => ''),
      });
      return run.end();
    } catch (error) {
      return run.end({ error });
    }
  }
}

/** Made by hand: what the SDK makes of a schema is stricter than ours, and looser within. */
function sdkTool(
  { name, description, parameters, strict = true }: ToolDescription,
  output: (callId: string) => Promise<unknown>,
): FunctionTool {
  return {
    type: 'function',
    name,
    description,
    parameters: parameters as FunctionTool['parameters'],
    strict,
    invoke: (_context, _input, details) => output(details!.toolCall!.callId),
    needsApproval: never,
    isEnabled: always,
  };
}

const never = async (): Promise<boolean> => false;
const always = async (): Promise<boolean> => true;
