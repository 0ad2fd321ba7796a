/** The formats in which providers report sources over Chat Completions. */
export type GroundingForm = 'perplexity' | 'gemini' | 'annotations' | 'azure';

const FORMS: [RegExp, GroundingForm][] = [
  [/^sandbox-sonar/, 'perplexity'],
  [/^sandbox-gemini-grounded/, 'gemini'],
  [/^sandbox-search-preview/, 'annotations'],
  [/^sandbox-azure-grounded/, 'azure'],
];

export const GROUNDED_MODELS = [
  'sandbox-sonar',
  'sandbox-gemini-grounded',
  'sandbox-search-preview',
  'sandbox-azure-grounded',
];

/** Undefined for a model that does not search by itself. */
export const groundingOf = (model: string): GroundingForm | undefined =>
  FORMS.find(([name]) => name.test(model))?.[1];
