import { z } from 'zod';
import type { Environment } from '../environment';
import { type HostedTools, namesFault } from './hosted-tools';
import { type Fail, label, readJsonFile } from './json-file';

/** A role that a chat can be answered in. */
export interface AgentConfig {
  /** 1 to 32 letters, digits, `_` or `-`. */
  readonly name: string;
  /** Shown to agents that may hand over to it. May be empty. */
  readonly description: string;
  readonly instructions: string;
  /** Undefined: the chat model. */
  readonly model?: string;
  /** The tools that it may call, `files__*` for all that begin so. Default: `*`, all of them. */
  readonly tools: readonly string[];
  /** Tools of the model endpoint, e.g. `web_search` or `mcp:<label>`. */
  readonly hostedTools: readonly string[];
  /** Names of the agents that it may hand over to. */
  readonly handoffs: readonly string[];
  /** Names of the agents that it may call as tools. None of them leads back to it. */
  readonly agentTools: readonly string[];
}

export interface AgentsConfig {
  /** The name of the agent that a chat begins with. */
  readonly start: string;
  /** By name. Every agent is reachable from `start`. */
  readonly agents: ReadonlyMap<string, AgentConfig>;
}

const NAME = 'RELAY_AGENTS_CONFIG';
const EXAMPLE =
  '/etc/sonde/agents.json with {"start":"guide","agents":{"guide":{"instructions":"Answer briefly."}}}';

const HOSTED_TOOL =
  /^(web_search|file_search|code_interpreter|image_generation|mcp:[a-zA-Z0-9_-]{1,64})$/;

const missingOr = (fault: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? 'is missing' : fault,
});
const text = z.string(missingOr('is not a text')).regex(/\S/, 'is empty');
const names = z
  .array(text, 'is not a list of names')
  .superRefine((list, context) => {
    const twice = list.find((name, at) => list.indexOf(name) < at);
    if (twice !== undefined) context.addIssue(`names "${twice}" twice`);
  });
/** Instructions may be a list of lines, since long strings are hard to read in JSON. */
const instructions = z
  .union(
    [z.string(), z.array(z.string()).transform((lines) => lines.join('\n'))],
    missingOr('is neither a text nor a list of lines'),
  )
  .refine((given) => given.trim() !== '', 'is empty');

const agent = z.strictObject(
  {
    description: text.optional(),
    instructions,
    model: text.optional(),
    tools: names.default(['*']),
    hostedTools: names
      .superRefine((list, context) => {
        const unknown = list.find((name) => !HOSTED_TOOL.test(name));
        if (unknown !== undefined)
          context.addIssue(
            `names "${unknown}", not one of web_search, file_search, code_interpreter, image_generation, mcp:<label>`,
          );
      })
      .default([]),
    handoffs: names.default([]),
    agentTools: names.default([]),
  },
  'is not an object',
);

const file = z.strictObject(
  {
    start: text,
    agents: z.record(label, agent, missingOr('is not an object')),
  },
  'is not an object',
);

/** The agents of the file; undefined if no file is configured. */
export function readAgents(env: Environment): AgentsConfig | undefined {
  const refuse: Fail = (fault) => env.fail(NAME, fault, EXAMPLE);
  const fail: Fail = (fault) => refuse(`names a file in which ${fault}`);
  const found = readJsonFile(env, NAME, file, refuse);
  if (!found) return undefined;
  const { start } = found;
  const agents = new Map(
    Object.entries(found.agents).map(([name, given]) => [
      name,
      { name, ...given, description: given.description ?? '' },
    ]),
  );
  if (!agents.has(start))
    fail(`start names "${start}", which is none of the agents`);
  for (const one of agents.values()) {
    checkNames('handoffs', one, agents, fail);
    checkNames('agentTools', one, agents, fail);
  }
  for (const name of agents.keys()) checkCircle(name, agents, fail);
  const reached = reachable(start, agents);
  for (const name of agents.keys())
    if (!reached.has(name))
      fail(
        `agents.${name} can be reached by no handoffs and no agentTools from "${start}", which starts`,
      );
  return { start, agents };
}

/** Checks that the hosted tools of every agent exist and may be combined. */
export function checkHostedTools(
  described: AgentsConfig | undefined,
  hosted: HostedTools,
  env: Environment,
): void {
  for (const { name, hostedTools } of described?.agents.values() ?? []) {
    const at = `agents.${name}.hostedTools`;
    const fault = namesFault(at, hostedTools, hosted);
    if (fault) env.fail(NAME, `names a file in which ${fault}`, EXAMPLE);
  }
}

function checkNames(
  list: 'handoffs' | 'agentTools',
  agent: AgentConfig,
  agents: AgentsConfig['agents'],
  fail: Fail,
): void {
  const at = `agents.${agent.name}.${list}`;
  if (agent[list].includes(agent.name)) fail(`${at} names the agent itself`);
  const unknown = agent[list].find((to) => !agents.has(to));
  if (unknown !== undefined)
    fail(`${at} names "${unknown}", which is none of the agents`);
}

/** An agent that is called waits for those that it calls: a circle of calls would never end. */
function checkCircle(
  name: string,
  agents: AgentsConfig['agents'],
  fail: Fail,
): void {
  const paths = new Map([[name, name]]);
  for (const [from, path] of paths)
    for (const to of agents.get(from)!.agentTools) {
      if (to === name)
        fail(`agents.${name}.agentTools lead in a circle: ${path} > ${name}`);
      if (!paths.has(to)) paths.set(to, `${path} > ${to}`);
    }
}

/** A called agent hands over to none, so that what it could hand over to is not reached through it. */
function reachable(start: string, agents: AgentsConfig['agents']): Set<string> {
  const talking = new Set([start]);
  for (const name of talking)
    agents.get(name)!.handoffs.forEach((to) => talking.add(to));
  const reached = new Set(talking);
  for (const name of reached)
    agents.get(name)!.agentTools.forEach((to) => reached.add(to));
  return reached;
}
