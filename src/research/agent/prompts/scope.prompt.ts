import { z } from 'zod';
import type { Brief } from '../agent.types';
import { DEPTHS } from '../../arguments/budget';
import { list, type RolePrompt, text } from './prompt';

/** Blocks: question, wishes; of a follow-up also previous. */
export const scopePrompt: RolePrompt<Brief> = {
  name: 'research_scope',
  model: 'writer',
  maxTokens: 1_000,
  schema: z.object({
    goal: text(1_000).min(1),
    sub_questions: list(text(300), 6),
    language: text(35).min(1),
    recency: z.enum(['any', 'year', 'month', 'week', 'day']),
    excluded: list(text(200), 12),
    depth: z.enum(DEPTHS),
  }),
  system: [
    'Role: scoper. Turn the question into a research brief.',
    '- goal: in one or two sentences, what the report must answer.',
    '- sub_questions: at most 6 questions that together answer the goal; none that the question does not need.',
    '- language: BCP 47 tag of the language that the report is to be written in: the one that the wishes ask for, else that of the question.',
    '- recency: how new sources must be: any, year, month, week or day. Use any unless the question is about current things.',
    '- excluded: what the user does not want.',
    '- depth: quick for a simple fact, deep for a question with many sides that needs many sources, else standard.',
    'If there is a block "previous", it is an earlier report that the question follows up: what the question refers to is found there. The goal must be complete without it.',
    'Do not answer the question. Write goal and sub_questions in the language of the report.',
  ].join('\n'),
};
