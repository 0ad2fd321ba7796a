import { hostileNames } from '../web/hostile';

export type FieldType = 'number' | 'string' | 'boolean' | 'any';

/** When a fault fires: instead of the response, on the frames of a stream, on the run that a create starts, or on the results of a search. */
export type FaultStage = 'reply' | 'stream' | 'run' | 'search';

export interface FaultKindSpec {
  stage: FaultStage;
  fields: Record<string, FieldType>;
  required?: string[];
}

export const FAULT_KINDS = {
  status: {
    stage: 'reply',
    fields: {
      status: 'number',
      retry_after: 'number',
      retry_after_ms: 'number',
      code: 'string',
      message: 'string',
      body: 'string',
      after_create: 'boolean',
    },
    required: ['status'],
  },
  hang: { stage: 'reply', fields: { ms: 'number', after_create: 'boolean' } },
  reset: { stage: 'reply', fields: { after_create: 'boolean' } },
  too_old: { stage: 'reply', fields: {} },
  gone: { stage: 'reply', fields: {} },
  model_gone: { stage: 'reply', fields: {} },
  refuse_tools: { stage: 'reply', fields: { status: 'number' } },
  silence: {
    stage: 'stream',
    fields: { after_events: 'number', ms: 'number' },
    required: ['after_events'],
  },
  cut: {
    stage: 'stream',
    fields: { after_events: 'number' },
    required: ['after_events'],
  },
  end: {
    stage: 'stream',
    fields: { after_events: 'number' },
    required: ['after_events'],
  },
  garbage: {
    stage: 'stream',
    fields: { after_events: 'number', cut: 'boolean' },
    required: ['after_events'],
  },
  unknown_events: { stage: 'stream', fields: {} },
  duplicate_events: { stage: 'stream', fields: {} },
  gap: {
    stage: 'stream',
    fields: { after_events: 'number' },
    required: ['after_events'],
  },
  incomplete: {
    stage: 'run',
    fields: { reason: 'string', fraction: 'number' },
  },
  failed: { stage: 'run', fields: { code: 'string', message: 'string' } },
  cancelled_by_upstream: { stage: 'run', fields: {} },
  empty: { stage: 'run', fields: {} },
  stay: { stage: 'run', fields: { status: 'string' }, required: ['status'] },
  error_event: {
    stage: 'run',
    fields: { nested: 'boolean', code: 'string', message: 'string' },
  },
  slow: { stage: 'run', fields: { ms: 'number' }, required: ['ms'] },
  pause: {
    stage: 'run',
    fields: { fraction: 'number' },
    required: ['fraction'],
  },
  text_bytes: {
    stage: 'run',
    fields: { bytes: 'number' },
    required: ['bytes'],
  },
  cut_body: {
    stage: 'run',
    fields: { bytes: 'number' },
    required: ['bytes'],
  },
  cost: { stage: 'run', fields: { usage: 'any', header: 'string' } },
  blocked_engines: { stage: 'search', fields: { partly: 'boolean' } },
  no_results: { stage: 'search', fields: {} },
  hostile_result: {
    stage: 'search',
    fields: { page: 'string' },
    required: ['page'],
  },
} satisfies Record<string, FaultKindSpec>;

export type FaultKind = keyof typeof FAULT_KINDS;

export const isFaultKind = (kind: unknown): kind is FaultKind =>
  typeof kind === 'string' && Object.hasOwn(FAULT_KINDS, kind);

export const MATCH_FIELDS: Record<string, FieldType> = {
  method: 'string',
  path: 'string',
  model: 'string',
  stream: 'boolean',
  background: 'boolean',
  invocation_id: 'string',
  body: 'string',
};

/** The allowed values of some string fields. */
export const CHOICES: Record<string, string[]> = {
  'status.body': ['json', 'html', 'detail'],
  'stay.status': ['queued', 'in_progress'],
  'incomplete.reason': ['max_output_tokens', 'content_filter'],
  'hostile_result.page': hostileNames,
};
