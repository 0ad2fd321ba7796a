import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { AppConfig } from '../../config/config';
import { covers } from '../../config/name-pattern';
import { ModelChoice } from '../../llm/models/model-choice';
import { isObject } from '../../platform/message/call-arguments';
import { MAX_QUESTION_CHARS } from '../../platform/message/message';
import type { ToolDescription } from '../../platform/message/tool-description';
import type { Tool } from '../../tools/tool';
import { defineTool } from '../../tools/tool-definition';
import type { Turn } from './chat-turn';

const TRANSFER = 'transfer_to_';
const CONSULT = 'consult_';

/** A participant of a chat: a model with its instructions and the functions that it may call. */
export interface Agent {
  /** Null for the default agent, which has every tool and is used where no agents are configured. */
  readonly name: string | null;
  readonly model: string;
  /** Whether a request may choose the model: true for an agent that has no configured one. */
  readonly allowsModelChoice: boolean;
  readonly instructions: string | null;
  /** Names of the tools that the model endpoint runs. */
  readonly hosted: readonly string[];
  /** The agents that may take over the conversation, as functions. */
  readonly handoffs: readonly ToolDescription[];
  /** The agents that it may call, as tools. */
  readonly agentTools: readonly Tool[];
  /** Whether it answers a call of another agent, and not the user. */
  readonly isCalled: boolean;
  allows(tool: string): boolean;
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
      allowsModelChoice: true,
      instructions: null,
      hosted: hosted.chat,
      handoffs: [],
      agentTools: [],
      isCalled: false,
      allows: () => true,
    });
    for (const agent of agents?.agents.values() ?? []) {
      this.all.set(agent.name, {
        name: agent.name,
        get model() {
          return agent.model ?? models.chat;
        },
        allowsModelChoice: agent.model === undefined,
        instructions: agent.instructions,
        hosted: agent.hostedTools,
        handoffs: agent.handoffs.map((name) =>
          transfer(name, agents!.agents.get(name)!.description),
        ),
        agentTools: agent.agentTools.map((name) =>
          consult(name, agents!.agents.get(name)!.description),
        ),
        isCalled: false,
        allows: (tool) => agent.tools.some((pattern) => covers(pattern, tool)),
      });
    }
  }

  /** Waits at most 5 s for the list of models of the endpoint. */
  ready(): Promise<unknown> {
    return this.models.known();
  }

  /** The model of agents without a configured one. */
  get defaultModel(): string {
    return this.models.chat;
  }

  /** The agent of the first turn. */
  get first(): Agent {
    return this.get(this.config.agents?.start ?? null);
  }

  /** Names of the hosted tools of all agents. */
  get hosted(): string[] {
    return [...this.all.values()].flatMap(({ hosted }) => hosted);
  }

  /** Every agent that may take part in a chat. */
  get participants(): Agent[] {
    const configured = [...this.all.values()].filter(
      ({ name }) => name !== null,
    );
    return configured.length > 0 ? configured : [this.first];
  }

  /** The first agent stands for one that is no longer configured. */
  get(name: string | null): Agent {
    return this.all.get(name) ?? this.first;
  }

  /** The agent as others call it: it answers them, and hands the conversation of the user over to none. */
  called(name: string | null): Agent {
    return { ...this.get(name), handoffs: [], isCalled: true };
  }

  /** The agent of a turn. */
  of({ agent, within }: Pick<Turn, 'agent' | 'within'>): Agent {
    return within ? this.called(agent) : this.get(agent);
  }
}

/** The agent that a call is for; undefined if it is not one that `agent` may call. */
export function calledAgentOf(agent: Agent, call: string): string | undefined {
  return agent.agentTools.some(({ name }) => name === call)
    ? call.slice(CONSULT.length)
    : undefined;
}

/** The agent that a call hands the conversation over to; undefined if it is not a handoff that `agent` may make. */
export function handoffOf(agent: Agent, call: string): string | undefined {
  return agent.handoffs.some(({ name }) => name === call)
    ? call.slice(TRANSFER.length)
    : undefined;
}

/** The agent that takes over after a turn with `calls`: the first of several handoffs counts. */
export function handoffIn(
  agent: Agent,
  { calls }: { calls: readonly { name: string }[] },
): string | undefined {
  return calls
    .map(({ name }) => handoffOf(agent, name))
    .find((name) => name !== undefined);
}

/** One agent has handed the conversation over to another. */
export interface Handoff {
  readonly from: string;
  readonly to: string;
}

/** The handoff that the result of a call has made; undefined for any other result, and for a handoff that came too late. */
export function handoffMade(
  { agent, calls, results }: Turn,
  at: number,
): Handoff | undefined {
  const { name } = calls[at];
  const [part] = results[at]?.output ?? [];
  const value = part?.type === 'value' ? part.value : undefined;
  const to = isObject(value) ? value.assistant : undefined;
  if (agent === null || typeof to !== 'string' || name !== TRANSFER + to)
    return undefined;
  return calls.findIndex((one) => one.name === name) === at
    ? { from: agent, to }
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

function consult(name: string, description: string): Tool {
  return defineTool(
    {
      name: CONSULT + name,
      description: `Asks ${name} and returns its answer. ${description}`.trim(),
      parameters: z.object({
        input: z
          .string()
          .trim()
          .min(1)
          .max(MAX_QUESTION_CHARS)
          .describe(
            `The whole task, with all that ${name} needs for it: it does not see the conversation.`,
          ),
      }),
    },
    {},
  );
}
