import type { ModelProfileName } from '../../config/config';
import { profileName } from '../../config/settings/models/model-profiles';
import type { HostedKind } from '../../config/files/hosted-tools';

/** What a model accepts. */
export interface ModelProfile {
  name: ModelProfileName;
  /** The hosted tools that it accepts. */
  hosted: readonly HostedKind[];
  /** Sent as `reasoning`, if the model accepts it. */
  reasoning?: { effort?: 'medium' | 'high'; summary: 'auto' };
  jsonSchema: boolean;
  /** Deep research goes over Chat Completions, where the model searches the web by itself. */
  completions?: boolean;
}

const PROFILES: Record<ModelProfileName, ModelProfile> = {
  research: {
    name: 'research',
    hosted: ['web_search', 'file_search', 'mcp', 'code_interpreter'],
    reasoning: { summary: 'auto' },
    jsonSchema: false,
  },
  reasoning: {
    name: 'reasoning',
    hosted: [
      'web_search',
      'file_search',
      'mcp',
      'code_interpreter',
      'image_generation',
    ],
    reasoning: { effort: 'high', summary: 'auto' },
    jsonSchema: true,
  },
  plain: { name: 'plain', hosted: [], jsonSchema: true },
  completions: {
    name: 'completions',
    hosted: [],
    jsonSchema: true,
    completions: true,
  },
};
/** Models that search the web and report their sources over Chat Completions only. */
const SEARCHES_IN_COMPLETIONS =
  /(^|-)(sonar\b|gemini-)|-search-(preview|api)\b/;

/** The profile that is configured for the model, else the one that its name implies. */
export function profileOf(
  model: string,
  configured: ReadonlyMap<string, ModelProfileName>,
): ModelProfile {
  return PROFILES[profileName(model, configured)];
}

/** The profile for deep research: some models that are plain in a chat search the web by themselves. */
export function researchProfileOf(
  model: string,
  configured: ReadonlyMap<string, ModelProfileName>,
): ModelProfile {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return !configured.has(model) && SEARCHES_IN_COMPLETIONS.test(name)
    ? PROFILES.completions
    : profileOf(model, configured);
}

/** Whether the model reasons, which takes part of its output. */
export function reasons({ name }: ModelProfile): boolean {
  return name === 'reasoning' || name === 'research';
}
