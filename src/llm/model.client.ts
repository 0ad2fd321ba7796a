import { Injectable, Logger } from '@nestjs/common';
import { AppConfig, type ChatEngine, type ChatKind } from '../config/config';
import { covers } from '../config/name-pattern';
import type { AppError } from '../platform/errors';
import { AgentsEngine } from './agents-sdk/agents-engine';
import { AgentsFailure } from './agents-sdk/agents-run';
import { isUnexplainedRefusal } from './models/unexplained-refusal';
import { report } from '../platform/metrics/facts';
import { CompletionsEngine } from './completions/completions-engine';
import {
  addUsage,
  type ModelAnswer,
  type ModelRequest,
  type ModelUsage,
} from './turns/model.types';
import { withForwarded } from './upstream/forwarded-headers';
import { dropsTools } from './models/dropped-tools';
import { LearntModels } from './models/learnt-models';
import { ModelProtocols, type Protocol } from './models/model-protocols';
import { isUnsupported, refusesTools } from './models/refusals';
import { PromptedEngine } from './prompted/prompted-engine';
import { readStrayText } from './prompted/stray-text';
import { ResponsesEngine } from './responses/responses-engine';
import { DeltaEmitter } from './turns/delta-emitter';

const SEES_TOOLS = 'chats with tools called by function calling';

/** The protocol and the engine by which a model is called. */
interface Route {
  protocol: Protocol;
  /** `responses`: function calling over either protocol. `prompt`: tools are described in the prompt. */
  engine: ChatEngine;
  /** The engines that may be tried, in order. */
  engines: readonly ChatEngine[];
}

/**
 * Calls the models of the endpoint: over the first supported protocol of Responses and Chat Completions, with the first
 * configured engine that works. What the endpoint refused, or what failed here, is not tried again for ten minutes.
 */
@Injectable()
export class ModelClient {
  private readonly log = new Logger('Models');
  private readonly protocols: ModelProtocols;
  private sdkFailed = false;

  constructor(
    private readonly responses: ResponsesEngine,
    private readonly completions: CompletionsEngine,
    private readonly learnt: LearntModels,
    private readonly config: AppConfig,
  ) {
    this.protocols = new ModelProtocols(learnt, config.upstream.modelProtocols);
  }

  /**
   * A failed turn is part of the answer. Another route is tried only before a delta is sent and a tool is called: it would
   * repeat them.
   * @throws the signal's reason, or what `callTools` throws.
   */
  run(request: ModelRequest): Promise<ModelAnswer> {
    return withForwarded(request.headers, () => this.answer(request));
  }

  private async answer(request: ModelRequest): Promise<ModelAnswer> {
    const { model } = request;
    const emitter = new DeltaEmitter(request.onDelta);
    const first = this.routeFor(request);
    let route = first;
    let answer = await this.runOn(route, request, emitter);
    const refused: ModelAnswer[] = [];
    let replaced: ModelUsage | null = null;
    for (;;) {
      const { failure } = answer;
      if (failure instanceof AgentsFailure) this.noteFailure(model, failure);
      const isBlind = this.isBlind(route, request, answer, emitter);
      const isFinal = emitter.begun || (!failure && !isBlind);
      const next = isFinal ? null : nextRoute(route, request, failure);
      if (!next) break;
      if (failure && !(failure instanceof AgentsFailure)) refused.push(answer);
      const [from, to] = [nameOf(route), nameOf(next)];
      report('engine_replaced', { from, to, model });
      replaced = addUsage(replaced, answer);
      route = next;
      answer = await this.runOn(route, request, emitter);
    }
    report('model_answered', {
      engine: nameOf(route),
      model,
      code: answer.failure?.code,
      inputTokens: answer.usage?.input_tokens,
      outputTokens: answer.usage?.output_tokens,
    });
    if (emitter.begun || !answer.failure)
      this.rememberRoute(model, first, route);
    else if (isUnsupported(answer.failure)) {
      // Neither protocol is supported, or no longer the remembered one.
      this.protocols.forget(model);
      return refused[0] ?? answer;
    }
    return { ...answer, usage: addUsage(replaced, answer) };
  }

  /**
   * Whether another engine can continue a conversation that ended with this answer, from the turns so far. Only for a
   * caller that has not sent any of the failed turn.
   */
  hasFallback({ failure }: ModelAnswer): boolean {
    return failure instanceof AgentsFailure && this.hasEngineAfterAgents;
  }

  private get hasEngineAfterAgents(): boolean {
    const { agentic } = this.config.upstream.chatEngines;
    return after('agents', agentic).length > 0;
  }

  private routeFor({ model, hosted = [], byAgent }: ModelRequest): Route {
    const { chatEngines, promptedModels } = this.config.upstream;
    const kind: ChatKind = byAgent || hosted.length > 0 ? 'agentic' : 'bare';
    const engines = chatEngines[kind];
    const usable = engines.find(
      (engine) => !this.learnt.knows(model, skipped(engine)),
    );
    const prompted = promptedModels.some((name) => covers(name, model));
    const engine = prompted ? 'prompt' : (usable ?? engines[0]);
    return { protocol: this.protocols.of(model), engine, engines };
  }

  private runOn(
    { protocol, engine }: Route,
    request: ModelRequest,
    emitter: DeltaEmitter,
  ): Promise<ModelAnswer> {
    const protocolEngine =
      protocol === 'responses' ? this.responses : this.completions;
    const read = { ...request, readText: readStrayText };
    switch (engine) {
      case 'agents':
        return new AgentsEngine(protocolEngine).run(read, emitter);
      case 'responses':
        return protocolEngine.run(read, emitter);
      case 'prompt':
        return new PromptedEngine(protocolEngine).run(request, emitter);
    }
  }

  /**
   * Whether the endpoint left the tools out of the prompt. Remembered also if the answer is already sent; and that a model
   * called one, because not every endpoint counts all of a prompt.
   */
  private isBlind(
    route: Route,
    request: ModelRequest,
    { failure, usage }: ModelAnswer,
    emitter: DeltaEmitter,
  ): boolean {
    const { model } = request;
    if (route.engine === 'prompt' || !laterOf(route).includes('prompt'))
      return false;
    if (emitter.called) this.learnt.learn(model, SEES_TOOLS);
    if (failure || this.learnt.knows(model, SEES_TOOLS)) return false;
    // Some templates leave out tools that may not be called.
    if (request.toolChoice === 'none') return false;
    if (!dropsTools(request, usage?.input_tokens)) return false;
    for (const engine of route.engines)
      if (engine !== 'prompt') this.skip(engine, model);
    return true;
  }

  private rememberRoute(model: string, first: Route, route: Route): void {
    if (route.protocol !== first.protocol) this.protocols.useCompletions(model);
    if (route.engine === first.engine) return;
    for (const engine of [first.engine, ...laterOf(first)])
      if (engine !== route.engine && !laterOf(route).includes(engine))
        this.skip(engine, model);
    if (route.engine === 'prompt')
      this.log.log(`The tools of ${model} are described in the prompt`);
  }

  /** Remembered also after a tool was called: the next chat may avoid the failure. */
  private noteFailure(model: string, { cause }: AgentsFailure): void {
    if (this.hasEngineAfterAgents) this.skip('agents', model);
    if (!this.sdkFailed)
      this.log.warn(
        'The Agents SDK failed; chats continue with the other configured engines',
      );
    this.sdkFailed = true;
    this.log.debug(cause);
  }

  private skip(engine: ChatEngine, model: string): void {
    this.learnt.learn(model, skipped(engine));
  }
}

function skipped(engine: ChatEngine): string {
  return `chats without the engine ${engine}`;
}

/** Function calling over Chat Completions is named by its protocol. */
function nameOf({ engine, protocol }: Route): string {
  return engine === 'responses' ? protocol : engine;
}

/** Each step changes one part of the route in one direction, so there are at most four. */
function nextRoute(
  route: Route,
  { tools }: ModelRequest,
  failure: AppError | null,
): Route | null {
  const later = laterOf(route);
  const mayBeTools = tools.length > 0 && isUnexplainedRefusal(failure);
  const engine =
    !failure || refusesTools(failure) || mayBeTools
      ? later.find((name) => name === 'prompt')
      : failure instanceof AgentsFailure && later[0];
  if (engine) return { ...route, engine };
  if (route.protocol === 'responses' && isUnsupported(failure))
    return { ...route, protocol: 'completions' };
  return null;
}

/** The engines that may be tried after that of the route. */
function laterOf({ engine, engines }: Route): readonly ChatEngine[] {
  return after(engine, engines);
}

function after(
  engine: ChatEngine,
  engines: readonly ChatEngine[],
): readonly ChatEngine[] {
  return engines.slice(engines.indexOf(engine) + 1);
}
