import type { ModelProfileName } from '../config/config';

/** What may be sent to a model. */
export interface ModelProfile {
  name: ModelProfileName;
  /** The hosted web search it takes, if any. */
  webSearch?: 'web_search' | 'web_search_preview';
  /** Sent as `reasoning`, if it takes any. */
  reasoning?: { effort?: 'medium' | 'high'; summary: 'auto' };
  jsonSchema: boolean;
}

const PROFILES: Record<ModelProfileName, ModelProfile> = {
  research: {
    name: 'research',
    webSearch: 'web_search_preview',
    reasoning: { summary: 'auto' },
    jsonSchema: false,
  },
  reasoning: {
    name: 'reasoning',
    webSearch: 'web_search',
    reasoning: { effort: 'high', summary: 'auto' },
    jsonSchema: true,
  },
  plain: { name: 'plain', jsonSchema: true },
};

/** The profile that is configured for the model, else the one that its name suggests. */
export function profileOf(
  model: string,
  configured: ReadonlyMap<string, ModelProfileName>,
): ModelProfile {
  return PROFILES[configured.get(model) ?? guess(model)];
}

function guess(model: string): ModelProfileName {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (/deep-research/.test(name)) return 'research';
  return /^(o[1-9]|gpt-[5-9])/.test(name) ? 'reasoning' : 'plain';
}
