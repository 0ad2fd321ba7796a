import type { Environment } from '../environment';

const DAY_SECONDS = 24 * 60 * 60;

/** Time and concurrency of tools in a worker, and how many calls one chat may make. */
export function readToolLimits(env: Environment) {
  return {
    timeoutMs: env.seconds('RELAY_TOOL_TIMEOUT_SECONDS', 60, 1, DAY_SECONDS),
    concurrency: env.integer('RELAY_TOOL_CONCURRENCY', 100, 1, 10_000),
    maxCallsPerTool: env.integer('RELAY_MAX_CALLS_PER_TOOL', 40, 1, 1_000),
    maxCalls: env.integer('RELAY_MAX_TOOL_CALLS', 150, 1, 10_000),
    maxResearch: env.integer('RELAY_MAX_RESEARCH_PER_CHAT', 3, 0, 1_000),
  };
}
