import type { Environment } from '../../environment';

export const MODEL_ROLES = ['writer', 'reader', 'critic', 'verifier'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

const NAME = 'RELAY_AGENT_MODELS';
const EXAMPLE = 'writer:gpt-4o,reader:gpt-4o-mini';

/** The models of the research agent by their role. A role that is not named has the model of the writer. */
export function readAgentModels(
  env: Environment,
): Readonly<Partial<Record<ModelRole, string>>> {
  const models: Partial<Record<ModelRole, string>> = {};
  for (const item of env.list(NAME, [])) {
    // The name of a model may have colons, that of a role has none.
    const [, name, model] = /^([^:]+):(.+)$/.exec(item) ?? [];
    const role = MODEL_ROLES.find((one) => one === name);
    if (!role)
      env.fail(
        NAME,
        `has an entry that is none of ${MODEL_ROLES.join(', ')} with a model`,
        EXAMPLE,
      );
    if (models[role]) env.fail(NAME, `names "${role}" twice`, EXAMPLE);
    models[role] = model;
  }
  return models;
}
