import type { AgentsConfig } from '../../files/agents';
import type { ModelProfileName } from '../../config';
import type { Environment } from '../../environment';

/** A research-only model takes no function tools, so every chat with it would fail. */
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

/** The configured profile of the model, else the one that its name suggests. */
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
