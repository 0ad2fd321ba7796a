import type { Invocation, Schemas } from '../api/client';
import { keep, kept } from '../ui/use-kept';

export type ResearchArguments = Schemas['DeepResearchArguments'];

/** A text, or a PDF or DOCX as a data URL. */
export interface DraftDocument {
  title: string;
  /** Of the file, in bytes. */
  size?: number;
  text?: string;
  file_data?: string;
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
  /** Names of documents that the tab had no room for. */
  lost: string[];
  /** The run whose report it follows up. */
  follows: string | null;
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
  lost: [],
  follows: null,
};

/** The arguments of `deep_research`: what was left as it is, is left to the service. */
export function argumentsOf(draft: Draft): ResearchArguments {
  const { question, depth, engine, format, sources, budget, follows } = draft;
  const chosen = {
    research_question: question.trim(),
    deliverable_format: format,
    ...(depth !== 'auto' && { depth }),
    ...(engine !== 'auto' && { engine }),
    ...(sources !== 'web' && { data_sources: sources }),
    ...(draft.review && { plan: 'review' }),
    ...(budget !== '' && { budget: { max_cost_usd: Number(budget) } }),
    ...(draft.documents.length > 0 && {
      documents: draft.documents.map(({ title, text, file_data }) =>
        file_data === undefined
          ? { title, text }
          : { filename: title, file_data },
      ),
    }),
    ...(follows !== null && { previous_invocation_id: follows }),
  };
  return chosen as ResearchArguments;
}

export function withoutDocuments(draft: Draft): Draft {
  const { documents, lost } = draft;
  const names = [...lost, ...documents.map(({ title }) => title)];
  return { ...draft, documents: [], lost: names };
}

const ASKED = 'asked';
const MAX_ASKED = 20;
/** A record holds this much of its question, in characters. */
const RECORDED = 1_000;

/** Keeps what a run was asked with, which its record does not hold, for whoever asks again. */
export function rememberAsked(id: string, draft: Draft): void {
  const before = kept<[string, Draft][]>(ASKED) ?? [];
  const asked = [[id, draft] as const, ...before].slice(0, MAX_ASKED);
  const light = asked.map(([one, of]) => [one, withoutDocuments(of)] as const);
  for (const all of [asked, light]) if (keep(ASKED, all)) return;
}

/** What a run was asked with; undefined in another tab than the one that has begun it. */
export function askedHere(id: string): Draft | undefined {
  const asked = kept<[string, Draft][]>(ASKED) ?? [];
  const own = asked.find(([one]) => one === id);
  return own && { ...EMPTY, ...own[1] };
}

/** What its record says of it. */
export function askedWith(record: Invocation): Draft {
  const { question, deliverable_format, engine, plan } = record;
  return {
    ...EMPTY,
    question: question ?? '',
    format: deliverable_format ?? EMPTY.format,
    engine: engine ?? EMPTY.engine,
    // Only a plan that is reviewed has an estimate.
    review: plan?.estimate != null,
  };
}

/** Whether a draft made of a record may lack the end of the question. */
export function isCut({ question }: Draft): boolean {
  return question.length >= RECORDED;
}
