import type { AgentRun } from '../agent-run';
import type { BoundSection } from '../agent.types';
import { cut, type RolePrompt } from '../prompts/prompt';
import { fitsShare } from './role-call';
import { mostThatFit } from '../text/note-ranking';
import { withSubjects } from '../text/section-layout';

/** Of a sentence, in UTF-16 units, where there is no room for all of it. */
const BEGINNING = 60;

/**
 * What is written of the report, within its share of a prompt: whole, or the beginning of each sentence of the last sections.
 * Made once for so many sections: a prompt is tried with fewer and fewer notes.
 */
export function writtenText(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
  sections: readonly BoundSection[],
): string {
  return run.cached(`written:${prompt.name}:${sections.length}`, () =>
    fittingText(run, prompt, sections),
  );
}

function fittingText(
  run: AgentRun,
  prompt: RolePrompt<unknown>,
  sections: readonly BoundSection[],
): string {
  const fits = (text: string): boolean => fitsShare(run, prompt, text);
  const whole = textOf(sections, (sentence) => sentence);
  if (fits(whole)) return whole;
  const begun = (count: number): string =>
    textOf(sections.slice(sections.length - count), (sentence) =>
      sentence.length > BEGINNING ? `${cut(sentence, BEGINNING)}…` : sentence,
    );
  return begun(mostThatFit(sections.length, (count) => fits(begun(count))));
}

function textOf(
  sections: readonly BoundSection[],
  shown: (sentence: string) => string,
): string {
  return sections
    .map((section) =>
      [section.title, ...withSubjects(section).map(shown)].join('\n'),
    )
    .join('\n\n');
}
