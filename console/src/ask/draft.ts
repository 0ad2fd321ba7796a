import type { Schemas } from '../api/client';

export type ResearchArguments = Schemas['DeepResearchArguments'];

export interface DraftDocument {
  title: string;
  text: string;
}

/** What the form holds. */
export interface Draft {
  question: string;
  depth: string;
  engine: string;
  format: string;
  sources: string;
  budget: string;
  review: boolean;
  documents: DraftDocument[];
}

export const EMPTY: Draft = {
  question: '',
  depth: 'auto',
  engine: 'auto',
  format: 'markdown_report',
  sources: 'web',
  budget: '',
  review: false,
  documents: [],
};

/** The arguments of `deep_research`: what was left as it is, is left to the service. */
export function argumentsOf(draft: Draft): ResearchArguments {
  const { question, depth, engine, format, sources, budget } = draft;
  const chosen = {
    research_question: question.trim(),
    deliverable_format: format,
    ...(depth !== 'auto' && { depth }),
    ...(engine !== 'auto' && { engine }),
    ...(sources !== 'web' && { data_sources: sources }),
    ...(draft.review && { plan: 'review' }),
    ...(budget !== '' && { budget: { max_cost_usd: Number(budget) } }),
    ...(draft.documents.length > 0 && { documents: draft.documents }),
  };
  return chosen as ResearchArguments;
}
