import { Injectable, Logger } from '@nestjs/common';
import { AppConfig, type ChatEngine, type ChatKind } from '../config/config';
import { covers } from '../config/name-pattern';
import { AgentsEngine } from './agents-sdk/agents.engine';
import { AgentsFailure } from './agents-sdk/agents.run';
import { isUnexplainedRefusal } from './models/unexplained.refusal';
import { CompletionsEngine } from './completions/completions.engine';
import type { ModelAnswer, ModelRequest } from './model.types';
import { withForwarded } from './upstream/forwarded.headers';
import { isUnsupported, refusesTools } from './models/refusals';
import { PromptedEngine } from './prompted/prompted.engine';
import { ResponsesEngine } from './responses/responses.engine';
import { DeltaEmitter } from './turns/delta.emitter';

type Protocol = 'responses' | 'completions';

/** How a model is spoken to. */
interface Way {
  protocol: Protocol;
  /** `responses`: function calling over either protocol. `prompt`: it is told of its tools in the prompt. */
  engine: ChatEngine;
  /** The engines that may follow, in their order. */
  later: readonly ChatEngine[];
}

const REMEMBERED_MS = 10 * 60 * 1000;

/**
 * The one way to a model of the endpoint: the first that works of Responses and Chat Completions, with the first that works
 * of the engines that are configured. What an endpoint refused, or failed here, is not tried again for ten minutes.
 */
@Injectable()
export class ModelClient {
  private readonly log = new Logger('Models');
  /** Model -> until when it is spoken to so without trying what comes first. */
  private readonly overCompletions = new Map<string, number>();
  /** Engine and model -> until when that engine is passed over. */
  private readonly passedOver = new Map<string, number>();
  private sdkFailed = false;

  constructor(
    private readonly responses: ResponsesEngine,
    private readonly completions: CompletionsEngine,
    private readonly config: AppConfig,
  ) {}

  /**
   * A failing turn is part of the answer. Another way is tried only while nothing was told and no tool called: a second
   * way would tell and call it again.
   * @throws the signal's reason, or what `callTools` throws.
   */
  run(request: ModelRequest): Promise<ModelAnswer> {
    return withForwarded(request.headers, () => this.answer(request));
  }

  private async answer(request: ModelRequest): Promise<ModelAnswer> {
    const { model } = request;
    const telling = new DeltaEmitter(request.tell);
    const first = this.wayTo(request);
    let way = first;
    let answer = await this.speak(way, request, telling);
    const refused: ModelAnswer[] = [];
    for (;;) {
      const { failure } = answer;
      if (failure instanceof AgentsFailure) this.noteFailure(model, failure);
      const next = telling.begun ? null : anotherWay(way, failure, request);
      if (!next) break;
      if (!(failure instanceof AgentsFailure)) refused.push(answer);
      way = next;
      answer = await this.speak(way, request, telling);
    }
    if (telling.begun || !answer.failure) this.remember(model, first, way);
    else if (isUnsupported(answer.failure)) {
      // Neither protocol is there, or no longer the one that was.
      this.overCompletions.delete(model);
      return refused[0] ?? answer;
    }
    return answer;
  }

  /**
   * Whether a conversation that came to this end can be gone on with by another engine, told what was said and done so far:
   * for whoever has told nobody of it yet.
   */
  hasAnother({ failure }: ModelAnswer): boolean {
    return failure instanceof AgentsFailure && this.hasAfterAgents;
  }

  private get hasAfterAgents(): boolean {
    const { agentic } = this.config.upstream.chatEngines;
    return after('agents', agentic).length > 0;
  }

  private wayTo({ model, hosted = [], byAgent }: ModelRequest): Way {
    const { chatEngines, promptedModels } = this.config.upstream;
    const now = Date.now();
    const isFresh = (until = 0) => until > now;
    const kind: ChatKind = byAgent || hosted.length > 0 ? 'agentic' : 'bare';
    const engines = chatEngines[kind];
    const usable = engines.find(
      (engine) => !isFresh(this.passedOver.get(`${engine} ${model}`)),
    );
    const prompted = promptedModels.some((name) => covers(name, model));
    const engine = prompted ? 'prompt' : (usable ?? engines[0]);
    return {
      protocol: isFresh(this.overCompletions.get(model))
        ? 'completions'
        : 'responses',
      engine,
      later: after(engine, engines),
    };
  }

  private speak(
    { protocol, engine }: Way,
    request: ModelRequest,
    telling: DeltaEmitter,
  ): Promise<ModelAnswer> {
    const spoken = protocol === 'responses' ? this.responses : this.completions;
    switch (engine) {
      case 'agents':
        return new AgentsEngine(spoken).run(request, telling);
      case 'responses':
        return spoken.run(request, telling);
      case 'prompt':
        return new PromptedEngine(spoken).run(request, telling);
    }
  }

  private remember(model: string, first: Way, way: Way): void {
    if (way.protocol !== first.protocol) {
      this.overCompletions.set(model, Date.now() + REMEMBERED_MS);
      this.log.log(`${model} is spoken to over Chat Completions`);
    }
    if (way.engine === first.engine) return;
    for (const engine of [first.engine, ...first.later])
      if (engine !== way.engine && !way.later.includes(engine))
        this.passOver(engine, model);
    if (way.engine === 'prompt')
      this.log.log(`${model} is told of its tools in the prompt`);
  }

  /** Also once a tool was called: the next chat need not come to the same end. */
  private noteFailure(model: string, { cause }: AgentsFailure): void {
    if (this.hasAfterAgents) this.passOver('agents', model);
    if (!this.sdkFailed)
      this.log.warn(
        'The Agents SDK failed; chats go on without it where they can',
      );
    this.sdkFailed = true;
    this.log.debug(cause);
  }

  private passOver(engine: ChatEngine, model: string): void {
    this.passedOver.set(`${engine} ${model}`, Date.now() + REMEMBERED_MS);
  }
}

/** Each step goes one way only, so that there are four of them at the most. */
function anotherWay(
  way: Way,
  failure: ModelAnswer['failure'],
  { tools }: ModelRequest,
): Way | null {
  const { later } = way;
  const mayBeTools = tools.length > 0 && isUnexplainedRefusal(failure);
  const engine =
    refusesTools(failure) || mayBeTools
      ? later.find((name) => name === 'prompt')
      : failure instanceof AgentsFailure && later[0];
  if (engine) return { ...way, engine, later: after(engine, later) };
  if (way.protocol === 'responses' && isUnsupported(failure))
    return { ...way, protocol: 'completions' };
  return null;
}

function after(
  engine: ChatEngine,
  engines: readonly ChatEngine[],
): readonly ChatEngine[] {
  return engines.slice(engines.indexOf(engine) + 1);
}
