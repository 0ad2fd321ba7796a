import { Inject, Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { covers } from '../../config/name-pattern';
import { ModelChoice } from '../../llm/models/model.choice';
import type { ToolDescription } from '../../message/tool-description';

const TRANSFER = 'transfer_to_';

/** Who takes the turns of a chat: a model, what it is told to be, and what it can call. */
export interface Agent {
  /** Null where none are configured: there is one, with every tool. */
  readonly name: string | null;
  readonly model: string;
  /** A request may choose another one, for it has none of its own. */
  readonly takesModel: boolean;
  readonly instructions: string | null;
  /** Names of tools that the endpoint runs itself. */
  readonly hosted: readonly string[];
  /** Whom it may hand the conversation over to, as functions. */
  readonly handoffs: readonly ToolDescription[];
  uses(tool: string): boolean;
}

/** The agents of the configuration. */
@Injectable()
export class Agents {
  private readonly all = new Map<string | null, Agent>();

  constructor(
    private readonly config: AppConfig,
    @Inject(ModelChoice)
    private readonly models: { chat: string; known(): Promise<unknown> },
  ) {
    const { agents, hosted } = config;
    this.all.set(null, {
      name: null,
      get model() {
        return models.chat;
      },
      takesModel: true,
      instructions: null,
      hosted: hosted.chat,
      handoffs: [],
      uses: () => true,
    });
    for (const one of agents?.agents.values() ?? []) {
      this.all.set(one.name, {
        name: one.name,
        get model() {
          return one.model ?? models.chat;
        },
        takesModel: one.model === undefined,
        instructions: one.instructions,
        hosted: one.hostedTools,
        handoffs: one.handoffs.map((name) =>
          transfer(name, agents!.agents.get(name)!.description),
        ),
        uses: (tool) => one.tools.some((pattern) => covers(pattern, tool)),
      });
    }
  }

  /** Waits until it is known which models the endpoint offers, for at most 5 s. */
  async ready(): Promise<void> {
    await this.models.known();
  }

  /** The model of those that have none of their own. */
  get chatModel(): string {
    return this.models.chat;
  }

  /** Who takes the first turn. */
  get first(): Agent {
    return this.get(this.config.agents?.start ?? null);
  }

  /** Names of the tools of the endpoint that any of them may use. */
  get hosted(): string[] {
    return [...this.all.values()].flatMap(({ hosted }) => hosted);
  }

  /** One that is no longer configured is the first one. */
  get(name: string | null): Agent {
    return this.all.get(name) ?? this.first;
  }
}

/** Whom a call hands the conversation over to, if it is one that `agent` may make. */
export function handoffOf(agent: Agent, call: string): string | undefined {
  return agent.handoffs.some(({ name }) => name === call)
    ? call.slice(TRANSFER.length)
    : undefined;
}

function transfer(name: string, description: string): ToolDescription {
  return {
    name: TRANSFER + name,
    description:
      `Hands the conversation over to ${name}. ${description}`.trim(),
    parameters: {
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    },
  };
}
