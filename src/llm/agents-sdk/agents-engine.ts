import type { FunctionTool } from '@openai/agents';
import type { ToolDescription } from '../../platform/message/tool-description';
import { AgentsOverCompletions } from './agents-completions';
import { modelOf } from './agents-model';
import { AgentsOverResponses } from './agents-responses';
import { AgentsRun } from './agents-run';
import { agentsSdk } from './agents-sdk';
import type { CompletionsEngine } from '../completions/completions-engine';
import type { ModelAnswer, ModelRequest } from '../turns/model.types';
import { ResponsesEngine } from '../responses/responses-engine';
import { DeltaEmitter } from '../turns/delta-emitter';

/**
 * The loop of the OpenAI Agents SDK, over either protocol. The model that the SDK calls is this service's own: requests and
 * retries are the same as without the SDK.
 */
export class AgentsEngine {
  constructor(private readonly engine: ResponsesEngine | CompletionsEngine) {}

  /**
   * @throws the signal's reason, or what `callTools` throws. A failed turn is part of the answer, and so is a failure of
   * the SDK itself: an `AgentsFailure`.
   */
  async run(
    request: ModelRequest,
    emitter = new DeltaEmitter(request.onDelta),
  ): Promise<ModelAnswer> {
    const { engine } = this;
    const { maxTurns } = engine;
    const { signal } = request;
    const run = new AgentsRun(request, emitter, maxTurns);
    const protocol =
      engine instanceof ResponsesEngine
        ? new AgentsOverResponses(engine, request, emitter)
        : new AgentsOverCompletions(engine, request, emitter);
    try {
      const sdk = await agentsSdk();
      signal.throwIfAborted();
      const agent = new sdk.Agent({
        name: 'chat',
        model: modelOf(sdk, run, protocol),
        tools: request.tools.map((tool) => sdkTool(tool, run)),
        toolUseBehavior: () => ({
          isFinalOutput: run.done,
          isInterrupted: undefined,
          finalOutput: '',
        }),
      });
      await sdk.runner.run(agent, [], {
        maxTurns,
        signal,
        // The SDK would print an error here and ignore it; the error is thrown where the next turn would begin.
        toolErrorFormatter: () =>
          run.callTools().then(
            () => '',
            () => '',
          ),
      });
      return run.end();
    } catch (error) {
      return run.end({ error });
    }
  }
}

/** Built without the SDK's `tool()`, whose handling of schemas differs from ours. The protocol sends the results. */
function sdkTool(
  { name, description, parameters, strict = true }: ToolDescription,
  run: AgentsRun,
): FunctionTool {
  return {
    type: 'function',
    name,
    description,
    parameters: parameters as FunctionTool['parameters'],
    strict,
    invoke: () => run.callTools().then(() => ''),
    needsApproval: never,
    isEnabled: always,
  };
}

const never = async (): Promise<boolean> => false;
const always = async (): Promise<boolean> => true;
