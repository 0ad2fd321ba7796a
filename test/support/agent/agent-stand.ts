import { callsByRole, type JournalSums, sumsOf } from './agent-journal';
import type { Invocation } from '../client';
import { Stand, type StandOptions } from '../processes/stand';
import { preload } from '../processes/preload';
import { Service } from '../processes/service';
import { until } from '../until';
import { waitForEnd } from '../event-log';

/** An installation whose runs of research are carried by the agent, with the sandbox as model, search engine and web. */
export async function startAgentStand(
  options: StandOptions = {},
): Promise<Stand> {
  const stand = await Stand.start({ ...options, apis: 0, workers: 0 });
  Object.assign(stand.env, {
    RELAY_RESEARCH_ENGINE: 'agent',
    ...agentEnv(stand),
  });
  await stand.addApi();
  return stand;
}

/** What lets the agent of a process use the sandbox. */
export function agentEnv({ sandbox }: Stand): Record<string, string> {
  return {
    RELAY_SEARCH: `searxng:${sandbox.url}`,
    RELAY_PAGES_ALLOWED_ORIGINS: sandbox.url,
    RELAY_AGENT_MODELS: 'writer:sandbox-plain',
  };
}

/** Starts a worker that dies once each of these runs is at its point, see the preload script. */
export function startVictim(
  { env }: Stand,
  points: Record<string, string> = {},
): Service {
  const HOLD_POINTS = JSON.stringify(points);
  return Service.spawn('worker', {
    ...env,
    ...preload('hold-points', { HOLD_POINTS }),
  });
}

/** How a run of the agent ended, with its journal and its purchases. */
export interface AgentEnd {
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  record: any;
  journal: JournalSums;
  /** Calls of models that reached the endpoint, by role. */
  paid: Record<string, number>;
}

/** Waits for the end of a run whose question contains `marker`, which no other has. */
export async function agentEnd(
  stand: Stand,
  invocation: Invocation,
  marker: string,
): Promise<AgentEnd> {
  const record = await waitForEnd(invocation);
  const key = `sonde:{${invocation.id}}:journal`;
  const journal = (await stand.redis.call('HGETALL', key)) as string[];
  const requests = (await stand.requests(5_000)).filter(({ body }) =>
    JSON.stringify(body).includes(marker),
  );
  return { record, journal: sumsOf(journal), paid: callsByRole(requests) };
}

/** Resolves when a call of this role is at the endpoint. */
export async function reaches(stand: Stand, role: string): Promise<void> {
  await until(`a call of ${role} at the endpoint`, async () =>
    (await stand.requests(5_000)).some(({ body }) =>
      JSON.stringify(body).includes(role),
    ),
  );
}
