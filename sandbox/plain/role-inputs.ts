import { badRequest } from '../wire/api-error';
import { isObject } from '../wire/json';
import type { DataBlocks } from './data-blocks';
import type { ResearchPlan, Scope } from './role.types';

/** A note as the prompts of the critic, the outliner and the writer hold it. */
export interface GivenNote {
  id: string;
  claim: string;
  quote: string;
  source: string;
  title: string;
}

const strings = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string')
    : [];

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const refuse = (fault: string) =>
  badRequest(`The sandbox cannot read the prompt: ${fault}.`, 'messages');

/** The limits of the run, which come with the brief. */
export interface GivenBrief extends Scope {
  max_directions: number;
  max_queries: number;
  max_open: number;
  max_sections: number;
  missing: string[];
}

const limit = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && value >= 0 ? value : otherwise;

export function briefIn(data: DataBlocks): GivenBrief {
  const given = data.json('brief');
  if (!isObject(given) || typeof given.goal !== 'string')
    throw refuse("the block 'brief' has no goal");
  return {
    ...(given as unknown as Scope),
    sub_questions: strings(given.sub_questions),
    excluded: strings(given.excluded),
    order: strings(given.order),
    criteria: strings(given.criteria),
    missing: strings(given.missing),
    language: text(given.language),
    max_directions: limit(given.max_directions, 6),
    max_queries: limit(given.max_queries, 4),
    max_open: limit(given.max_open, 0),
    max_sections: limit(given.max_sections, 8),
  };
}

export function notesIn(data: DataBlocks): GivenNote[] {
  return data.lines('notes').map((given) => {
    if (
      !isObject(given) ||
      typeof given.id !== 'string' ||
      typeof given.quote !== 'string'
    )
      throw refuse("a line of 'notes' has no id or no quote");
    const { id, quote } = given;
    return {
      id,
      quote,
      claim: text(given.claim),
      source: text(given.source),
      title: text(given.title) || text(given.source),
    };
  });
}

const LINE = /^\[(\d+)\] (.*)$/gm;

/** A page that searches have found. */
export interface GivenCandidate {
  n: number;
  direction: number;
  /** Its title and what the search shows of it. */
  words: string;
}

export function candidatesIn(
  data: DataBlocks,
  block: 'candidates' | 'unread',
): GivenCandidate[] {
  return data.lines(block).flatMap((line): GivenCandidate[] => {
    if (!isObject(line)) return [];
    const { n, direction, title, snippet } = line;
    if (typeof n !== 'number' || typeof direction !== 'number') return [];
    return [{ n, direction, words: `${text(title)}\n${text(snippet)}` }];
  });
}

/** The numbered lines of the part of a page that is to be read. */
export const linesIn = (data: DataBlocks): { number: number; text: string }[] =>
  [...data.text('page').matchAll(LINE)].map(([, number, line]) => ({
    number: Number(number),
    text: line,
  }));

/** The values of an object that were found at fault; none on the first attempt. */
export function faultsIn(data: DataBlocks): string[] {
  const given = data.optionalJson('faults') ?? [];
  if (!Array.isArray(given)) throw refuse("the block 'faults' is no list");
  return given.map((one: unknown) => (isObject(one) ? text(one.text) : ''));
}

/** What the caller asks for beside the question; an earlier report is no wish. */
export function wishesIn(data: DataBlocks): string {
  const given = data.optionalJson('wishes');
  if (!isObject(given)) return '';
  return [text(given.system_prompt), ...strings(given.constraints)].join('\n');
}

/** The format of the report; empty if none is asked for. */
export function formatIn(data: DataBlocks): string {
  const given = data.optionalJson('wishes');
  return isObject(given) ? text(given.format) : '';
}

/** The place and the form of the section that is to be written, and the headers of its table. */
export function formIn(data: DataBlocks): {
  index: number;
  form: string;
  columns: string[];
} {
  const given = data.optionalJson('section');
  if (!isObject(given)) return { index: -1, form: '', columns: [] };
  const { index, form, columns } = given;
  return {
    index: limit(index, -1),
    form: text(form),
    columns: strings(columns),
  };
}

/** The titles of the directions; none without a plan in the prompt. */
export function directionsIn(data: DataBlocks): string[] {
  const given = data.optionalJson('plan');
  if (!isObject(given) || !Array.isArray(given.directions)) return [];
  return (given as unknown as ResearchPlan).directions.map(({ title }) =>
    text(title),
  );
}

/** The sentences of a finished report. */
export const reportIn = (data: DataBlocks): string[] =>
  data
    .lines('sections')
    .flatMap((line) => (isObject(line) ? text(line.text) : []))
    .filter((line) => line !== '');

/** The sentences that are to be compared with the quotes beside them. */
export const judgedIn = (
  data: DataBlocks,
): { id: string; sentence: string; quotes: string[] }[] =>
  data.lines('sentences').flatMap((line) => {
    if (!isObject(line) || !Array.isArray(line.passages)) return [];
    const quotes = line.passages.flatMap((one: unknown) =>
      isObject(one) ? strings(one.quotes) : [],
    );
    return [{ id: text(line.id), sentence: text(line.sentence), quotes }];
  });

/** The sentences of a section that are to be written again. */
export const faultyIn = (
  data: DataBlocks,
): { id: string; noteIds: string[] }[] =>
  data
    .lines('faulty')
    .flatMap((line) =>
      isObject(line)
        ? [{ id: text(line.id), noteIds: strings(line.note_ids) }]
        : [],
    );
