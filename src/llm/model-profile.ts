import type { ModelProfileName } from '../config/config';
import { profileName } from '../config/chat-settings';
import type { HostedKind } from '../config/hosted-tools';

/** What may be sent to a model. */
export interface ModelProfile {
  name: ModelProfileName;
  /** The hosted tools it takes. */
  hosted: readonly HostedKind[];
  /** Sent as `reasoning`, if it takes any. */
  reasoning?: { effort?: 'medium' | 'high'; summary: 'auto' };
  jsonSchema: boolean;
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
};

/** The profile that is configured for the model, else the one that its name suggests. */
export function profileOf(
  model: string,
  configured: ReadonlyMap<string, ModelProfileName>,
): ModelProfile {
  return PROFILES[profileName(model, configured)];
}
