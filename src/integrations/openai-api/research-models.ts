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

/** The model that a request names; undefined where the check of the body names the fault. */
export function modelIn(body: unknown): string | undefined {
  const { model } = Object(body) as { model?: unknown };
  return typeof model === 'string' ? model : undefined;
}
