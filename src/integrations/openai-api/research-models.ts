import { OpenAiRefusal } from '../../platform/http/openai/openai-error';

/** The models that stand for research. Which model carries it is up to the configuration. */
const NAMES = ['o3-deep-research', 'o4-mini-deep-research', 'sonde-research'];

export const DEFAULT_MODEL = 'sonde-research';

/** A dated name is the same model. */
const RESEARCH = new RegExp(`^(${NAMES.join('|')})(-\\d{4}-\\d{2}-\\d{2})?$`);

export function isResearchModel(model: string): boolean {
  return RESEARCH.test(model);
}

export function researchModels(): readonly string[] {
  return NAMES;
}

/** The same for a model that is unknown and for one that the key may not use. */
export function noSuchModel(model: string): OpenAiRefusal {
  return new OpenAiRefusal(
    'model_not_found',
    `The model '${model.slice(0, 100)}' does not exist or you do not have access to it.`,
    'model',
    404,
  );
}
