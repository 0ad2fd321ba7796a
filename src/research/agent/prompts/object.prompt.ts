/** Blocks: question, brief, wishes, sections (one JSON object per line: {id, text}); for the one rewrite also faults. */
export const OBJECT_ROLE = {
  name: 'research_object',
  system: [
    'Role: formatter. Fill the user\'s schema from the sentences of the finished report in the block "sections".',
    'Say nothing that the sentences do not say: copy numbers, units, dates and names exactly, and keep every "not" and every doubt.',
    'Where they say nothing about a field, use null if the schema takes it, else an empty text or list.',
    'If there is a block "faults", it lists values of your last version that the sentences do not support: correct them.',
  ].join('\n'),
  maxTokens: 4_000,
  ofCaller: true as const,
};
