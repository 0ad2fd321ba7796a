/**
 * The default models, in order of preference: the first that the endpoint lists is used. A list, because models are
 * shut down: the first of each is the default of earlier versions, the others are available in November 2026. Models
 * that cost ten times as much (gpt-5.5-pro, gpt-6-astra) are never a default.
 */
export const DEFAULT_RESEARCH_MODELS = [
  'o3-deep-research',
  'o4-mini-deep-research',
  'gpt-6.1-sol',
  'gpt-6-sol',
  'gpt-5.6-sol',
  'gpt-5.5',
  'gpt-6.1-terra',
  'gpt-5.6-terra',
] as const;

/** For chat, fast and cheap models come first. */
export const DEFAULT_CHAT_MODELS = [
  'gpt-4o',
  'gpt-4.1',
  'gpt-5.6-luna',
  'gpt-6-luna',
  'gpt-6.1-terra',
  'gpt-5.6-terra',
  'gpt-6-sol',
  'gpt-5.5',
  'gpt-4o-mini',
] as const;
