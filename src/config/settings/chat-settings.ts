import type { AgentsConfig } from '../files/agents';
import type { ModelProfileName } from '../config';
import type { Environment } from '../environment';

const DAYS = 24 * 60 * 60;
const MAX_FORWARDED = 32;

/** What this service says itself, what belongs to one connection, and what proves who somebody is. */
const NEVER_FORWARDED =
  /^(authorization|(set-)?cookie2?|.*(api-?key|token|secret).*|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-.*|accept.*|expect|user-agent|forwarded|x-forwarded-.*|x-litellm-.*|idempotency-key|traceparent|tracestate)$/;

/** How long a caller is held. Where only the limit of a run is set, it is as long: once that was one setting. */
export function readMaxWait(env: Environment): number {
  const run = 'RELAY_RESEARCH_TIMEOUT_SECONDS';
  const isSet = env.optional(run) !== undefined;
  const fallback = isSet ? env.seconds(run, 0, 1, DAYS) / 1000 : 300;
  return env.seconds('RELAY_CHAT_WAIT_SECONDS', fallback, 1, DAYS);
}

/** Names of request headers that are passed on to the endpoint, in lower case. */
export function readForwardedHeaders(env: Environment): string[] {
  const name = 'RELAY_FORWARD_HEADERS';
  const example = 'x-tenant-id,x-cost-center';
  const names = env.list(name, []).map((one) => one.toLowerCase());
  for (const one of names) {
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(one))
      env.fail(name, `names "${one}", which is no header`, example);
    if (NEVER_FORWARDED.test(one))
      env.fail(name, `names "${one}", which is never passed on`, example);
  }
  if (names.length > MAX_FORWARDED)
    env.fail(name, `names more than ${MAX_FORWARDED} headers`, example);
  return [...new Set(names)];
}

/** A model that only researches takes no functions, so that every chat would fail. */
export function checkChatModels(
  env: Environment,
  agents: AgentsConfig | undefined,
  profiles: ReadonlyMap<string, ModelProfileName>,
): void {
  const check = (variable: string, place: string, model = ''): void => {
    if (profileName(model, profiles) !== 'research') return;
    env.fail(
      variable,
      `names ${place}"${model}", which researches and takes no function tools, as chats need`,
      `another model, or RELAY_MODEL_PROFILES=${model}:reasoning if it does take them`,
    );
  };
  check('LITELLM_CHAT_MODEL', '', env.optional('LITELLM_CHAT_MODEL'));
  for (const model of env.list('RELAY_CHAT_MODELS', []))
    check('RELAY_CHAT_MODELS', '', model);
  for (const { name, model } of agents?.agents.values() ?? [])
    check(
      'RELAY_AGENTS_CONFIG',
      `a file in which agents.${name}.model is `,
      model,
    );
}

/** The profile that is configured for the model, else the one that its name suggests. */
export function profileName(
  model: string,
  configured: ReadonlyMap<string, ModelProfileName>,
): ModelProfileName {
  const name = model.slice(model.lastIndexOf('/') + 1);
  const guess = /deep-research/.test(name)
    ? 'research'
    : /^(o[1-9]|gpt-[5-9])/.test(name)
      ? 'reasoning'
      : 'plain';
  return configured.get(model) ?? guess;
}
