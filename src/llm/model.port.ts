import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { covers } from '../config/name-pattern';
import { CompletionsEngine } from './completions.engine';
import type { ModelAnswer, ModelRequest } from './model.answer';
import { isNotOffered, refusesTools } from './model.refusal';
import { PromptEngine } from './prompt.engine';
import { ResponsesEngine } from './responses.engine';
import { Telling } from './telling';

type Protocol = 'responses' | 'completions';

/** How a model is spoken to. `prompted`: it is told of its tools in the prompt. */
interface Way {
  protocol: Protocol;
  prompted: boolean;
}

const REMEMBERED_MS = 10 * 60 * 1000;

/**
 * The one way to a model of the endpoint: the first that works of Responses and Chat Completions, with tools as the API
 * defines them or in the prompt. What an endpoint refused is not tried again for ten minutes.
 */
@Injectable()
export class ModelPort {
  private readonly log = new Logger('Models');
  /** Model -> until when it is spoken to so without trying what comes first. */
  private readonly overCompletions = new Map<string, number>();
  private readonly prompted = new Map<string, number>();

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
  async run(request: ModelRequest): Promise<ModelAnswer> {
    const { model } = request;
    const telling = new Telling(request.tell);
    const first = this.wayTo(model);
    let way = first;
    let answer = await this.speak(way, request, telling);
    const refused: ModelAnswer[] = [];
    for (;;) {
      const next = telling.begun ? null : anotherWay(way, answer);
      if (!next) break;
      refused.push(answer);
      way = next;
      answer = await this.speak(way, request, telling);
    }
    if (telling.begun || !answer.failure) this.remember(model, first, way);
    else if (isNotOffered(answer.failure)) {
      // Neither protocol is there, or no longer the one that was.
      this.overCompletions.delete(model);
      return refused[0] ?? answer;
    }
    return answer;
  }

  private wayTo(model: string): Way {
    const now = Date.now();
    const isFresh = (until = 0) => until > now;
    return {
      protocol: isFresh(this.overCompletions.get(model))
        ? 'completions'
        : 'responses',
      prompted:
        isFresh(this.prompted.get(model)) ||
        this.config.upstream.promptedModels.some((name) => covers(name, model)),
    };
  }

  private speak(
    { protocol, prompted }: Way,
    request: ModelRequest,
    telling: Telling,
  ): Promise<ModelAnswer> {
    const engine = protocol === 'responses' ? this.responses : this.completions;
    return (prompted ? new PromptEngine(engine) : engine).run(request, telling);
  }

  private remember(model: string, first: Way, way: Way): void {
    const until = Date.now() + REMEMBERED_MS;
    if (way.protocol !== first.protocol) {
      this.overCompletions.set(model, until);
      this.log.log(`${model} is spoken to over Chat Completions`);
    }
    if (way.prompted !== first.prompted) {
      this.prompted.set(model, until);
      this.log.log(`${model} is told of its tools in the prompt`);
    }
  }
}

/** Each step goes one way only, so that there are three of them at the most. */
function anotherWay(way: Way, { failure }: ModelAnswer): Way | null {
  if (!way.prompted && refusesTools(failure)) return { ...way, prompted: true };
  if (way.protocol === 'responses' && isNotOffered(failure))
    return { ...way, protocol: 'completions' };
  return null;
}
