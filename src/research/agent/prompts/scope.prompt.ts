import { z } from 'zod';
import type { Brief } from '../agent.types';
import { DEPTHS } from '../../arguments/budget';
import { list, type RolePrompt, text, texts } from './prompt';

/** Blocks: question, wishes; of a follow-up also previous. */
export const scopePrompt: RolePrompt<Brief> = {
  name: 'research_scope',
  model: 'writer',
  maxTokens: 1_400,
  schema: z.object({
    goal: text(1_000).min(1),
    sub_questions: list(text(300), 6),
    language: text(35).min(1),
    recency: z.enum(['any', 'year', 'month', 'week', 'day']),
    excluded: list(text(200), 12),
    depth: z.enum(DEPTHS),
    order: texts(200, 8),
    criteria: texts(300, 8),
  }),
  system: [
    'Role: scoper. Turn the question into a research brief.',
    '- goal: in one or two sentences, what the report must answer.',
    '- sub_questions: at most 6 questions that together answer the goal; none that the question does not need.',
    '- language: BCP 47 tag of the language that the report is to be written in: the one that the wishes ask for, else that of the question.',
    '- recency: how new sources must be: any, year, month, week or day. Use any unless the question is about current things.',
    '- excluded: what the user does not want.',
    '- depth: quick for a simple fact, deep for a question with many sides that needs many sources, else standard.',
    '- order: what the user asks the report to be or to hold, each in a few words: a table and what it compares, a recommendation for each use, steps, a timeline, a length, a reader. Empty if nothing is asked for.',
    '- criteria: at most 8 things that a good answer must contain, each one that a reader can check in it.',
    'If there is a block "previous", it is an earlier report that the question follows up: what the question refers to is found there. The goal must be complete without it.',
    'Do not answer the question. Write goal, sub_questions, order and criteria in the language of the report.',
  ].join('\n'),
};
