import type { DataBlocks } from './data-blocks';

export const ROLES = [
  'scope',
  'plan',
  'choice',
  'notes',
  'gaps',
  'outline',
  'section',
  'verify',
  'rewrite',
  'object',
] as const;
export type Role = (typeof ROLES)[number];

export interface RoleRequest {
  role: Role;
  data: DataBlocks;
  /** The JSON schema of the answer, where it could be read. */
  schema: unknown;
}

export interface Scope {
  goal: string;
  sub_questions: string[];
  language: string;
  recency: 'any' | 'year' | 'month' | 'week' | 'day';
  excluded: string[];
  depth: 'quick' | 'standard' | 'deep';
  order: string[];
  criteria: string[];
}

export interface ResearchPlan {
  directions: { title: string; queries: string[] }[];
}

export interface Choice {
  lists: { direction: number; candidates: number[] }[];
}

export interface Notes {
  notes: {
    claim: string;
    /** Numbers of lines of the page. */
    sentences: number[];
    kind: string;
    importance: number;
  }[];
}

export interface Gaps {
  sufficient: boolean;
  missing: string[];
  contradictions: { note_ids: string[]; about: string }[];
  /** Numbers of unread pages. */
  open: number[];
  queries: { direction: string | number; query: string }[];
}

export type Form = 'prose' | 'list' | 'steps' | 'table' | 'timeline';

export interface Outline {
  title: string;
  sections: {
    title: string;
    form: Form;
    note_ids: string[];
    about: string[];
    columns: string[];
    rows: string[];
  }[];
  missing: string[];
}

export interface Sentence {
  text: string;
  note_ids: string[];
}

export interface Section {
  sentences: Sentence[];
}

export interface Verified {
  answers: {
    id: string;
    words: string[];
    differs: string;
    expression: string;
    verdict: string;
  }[];
}

export interface Rewritten {
  sentences: { id: string; text: string; note_ids: string[] }[];
}

export interface RoleValues {
  scope: Scope;
  plan: ResearchPlan;
  choice: Choice;
  notes: Notes;
  gaps: Gaps;
  outline: Outline;
  section: Section;
  verify: Verified;
  rewrite: Rewritten;
  /** Of the schema of the caller. */
  object: unknown;
}
