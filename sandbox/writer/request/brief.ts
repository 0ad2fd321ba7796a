import { documentsIn, withoutDocuments } from './documents';
import type { Source } from '../../corpus/search';

export type Deliverable = 'markdown_brief' | 'markdown_report' | 'json_outline';

/** The request of a research input, parsed from its text. */
export interface Brief {
  question: string;
  /** The question and everything else except documents and lines about the format. */
  searchText: string;
  deliverable: Deliverable;
  citations: boolean;
  documents: Source[];
}

// Decoration is listed by character: \W would also match Hangul and line ends.
const DELIVERABLE =
  /^[ \t>*_#-]*deliverable[ _]format[*_]*[:：][*_ \t]*(\w+).*$/im;
const NO_CITATIONS = /^[ \t>*_#-]*citations[*_]*[:：][*_ \t]*not wanted.*$/im;
const CITATIONS = /^[ \t>*_#-]*citations[*_]*[:：].*$/im;
const LABEL =
  /^[ \t>*_#-]*(?:research[ _]question|question|연구 질문|질문)[*_ \t]*(?:[:：][*_ \t]*|$)/i;
const STEERING = /\[sandbox:[^\n]*\]/g;

export const asksForReport = (text: string) => DELIVERABLE.test(text);

export function readBrief(text: string): Brief {
  const format = DELIVERABLE.exec(text)?.[1];
  const searchText = withoutDocuments(text)
    .replace(DELIVERABLE, '')
    .replace(CITATIONS, '')
    .replace(STEERING, '')
    .trim();
  return {
    question: questionIn(searchText),
    searchText,
    deliverable:
      format === 'markdown_report' || format === 'json_outline'
        ? format
        : 'markdown_brief',
    citations: !NO_CITATIONS.test(text),
    documents: documentsIn(text),
  };
}

/**
 * The line labelled as the question, or the line after a bare label, or the first line that is neither label nor list.
 */
function questionIn(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const labelled = lines.findIndex((line) => LABEL.test(line));
  if (labelled >= 0)
    return lines[labelled].replace(LABEL, '') || (lines[labelled + 1] ?? '');
  return lines.find((line) => !/^[-*]\s|[:：]$/.test(line)) ?? lines[0] ?? '';
}
