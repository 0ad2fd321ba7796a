import { GROUNDED_MODELS } from '../chat-completions/grounded-models';
import { PLAIN_MODELS } from '../plain/plain-models';
import { unknownModel } from '../wire/api-error';
import type { Settings } from '../control/settings';

const LISTED = [
  'o3-deep-research',
  'o3-deep-research-2025-06-26',
  'o4-mini-deep-research',
  'o4-mini-deep-research-2025-06-26',
  'gpt-4o',
  'gpt-4o-mini',
  'gpt-4.1',
  'gpt-5.5',
  'gpt-5.5-pro',
  'gpt-5.6-sol',
  'gpt-5.6-terra',
  'gpt-5.6-luna',
  'gpt-6-sol',
  'gpt-6.1-sol',
  ...GROUNDED_MODELS,
  ...PLAIN_MODELS,
];
const CREATED = 1_750_000_000;

export interface ListedModel {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
  shutdown_date?: string;
}

/** A retired model stays listed: being listed does not mean being usable. */
export function listModels({ models }: Settings): ListedModel[] {
  return [...new Set([...LISTED, ...Object.keys(models)])]
    .filter((id) => !models[id]?.gone)
    .map((id) => describe(id, models[id]?.shutdown_date));
}

const describe = (id: string, shutdown_date?: string): ListedModel => ({
  id,
  object: 'model',
  created: CREATED,
  owned_by: 'sandbox',
  ...(shutdown_date !== undefined && { shutdown_date }),
});

/** Every name is accepted, as it is the configuration of the caller; only retired models are refused. */
export function checkModel(model: string, { models }: Settings): void {
  const setting = models[model];
  if (!setting) return;
  const today = new Date().toISOString().slice(0, 10);
  const shut =
    setting.shutdown_date !== undefined && setting.shutdown_date <= today;
  if (setting.gone || shut) throw unknownModel(model);
}
