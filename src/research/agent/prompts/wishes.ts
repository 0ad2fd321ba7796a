import { UNDETERMINED } from '../../../platform/message/language-tag';
import type { Brief, Note, ResearchTask } from '../agent.types';
import { cut } from './prompt';

/** What the caller wishes besides the question, as its block shows it. Empty if there is nothing. */
export function wishesOf({
  args,
}: {
  args: Pick<
    ResearchTask['args'],
    'system_prompt' | 'constraints' | 'context' | 'deliverable_format'
  >;
}): string {
  const wishes = {
    ...(args.system_prompt && { system_prompt: args.system_prompt }),
    ...(args.constraints?.length && { constraints: args.constraints }),
    ...(args.context?.length && { context: args.context }),
    format: args.deliverable_format,
  };
  return JSON.stringify(wishes);
}

/** The brief, with limits of this run that a role has to keep. Where its language is not known, it shows in its words. */
export function briefText(brief: Brief, more: object = {}): string {
  const { language } = brief;
  const known = language === UNDETERMINED ? { language: undefined } : {};
  return JSON.stringify({ ...brief, ...known, ...more });
}

export function noteLine(note: Note): string {
  const { id, claim, quote, source, title, date, headings = [] } = note;
  return JSON.stringify({
    id,
    claim,
    quote,
    source,
    title: cut(title, 120),
    // The innermost say most: version and subject are there.
    ...(headings.length > 0 && { under: headings.slice(-2).join(' > ') }),
    ...(date && { date }),
  });
}
