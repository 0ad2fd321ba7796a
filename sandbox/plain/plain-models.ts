/** The other versions of `sandbox-plain`, each named by what it does: `paraphrases` and `slow` are honest. */
export const FAULTY = [
  'paraphrases',
  'invents-url',
  'alters-number',
  'drops-negation',
  'swaps-sources',
  'invents-quote',
  'obeys-page',
  'no-json',
  'other-language',
  'loops',
  'slow',
] as const;
export type FaultName = (typeof FAULTY)[number];

const PLAIN = 'sandbox-plain';

/** The models without hosted tools that fill the roles of the research agent. */
export const PLAIN_MODELS = [
  PLAIN,
  ...FAULTY.map((name) => `${PLAIN}-${name}`),
];

export const isPlain = (model: string): boolean =>
  model === PLAIN || model.startsWith(`${PLAIN}-`);

/** Undefined for the honest model and for a name that is not in the list. */
export const faultOf = (model: string): FaultName | undefined =>
  FAULTY.find((name) => model === `${PLAIN}-${name}`);

/** Whether a turn of the model takes as long as research does, and its reply comes in drops. */
export const isSlow = (model: string): boolean => faultOf(model) === 'slow';
