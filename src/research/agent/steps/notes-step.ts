import type { z } from 'zod';
import type { AgentRun } from '../agent-run';
import type { Brief, Note } from '../agent.types';
import type { Allowance } from '../budget/allowance';
import { headingPath } from '../parts/heading-path';
import {
  headerRow,
  type Line,
  lineBefore,
  linesOf,
  type PageText,
  passageOf,
  shownLines,
  shownWords,
} from '../parts/lines';
import { lineTokens, type Part } from '../parts/parts';
import { notesPrompt } from '../prompts/notes.prompt';
import {
  type Blocks,
  cut,
  messagesOf,
  withoutSeparators,
} from '../prompts/prompt';
import { briefText } from '../prompts/wishes';
import { ask } from './ask';
import type { Call } from './model-step';
import type { OpenPage } from './page-step';
import { roomBeside } from './role-call';

/** Kept around each quote, in UTF-16 units. */
const AROUND = 300;
/** More of a page at once is read badly. */
const PART_TOKENS = 1_500;
/** For the address, the title, the headings and the columns of a page, and what separators add. */
const PAGE_INFO = 300;
/** The most tokens that a part of a page adds to a prompt. */
export const PART_ROOM = PAGE_INFO + PART_TOKENS;
/** UTF-16 units of the first row of a table. */
const MAX_COLUMNS = 300;

/** A note before it is numbered. */
export type FoundNote = Omit<Note, 'id' | 'source' | 'title' | 'date'>;

type Answer = z.output<typeof notesPrompt.schema>;

/** What the journal keeps of the answer about one part of a page. */
export interface Noted {
  /** Of the page. */
  url: string;
  found: FoundNote[];
  /** The page was purged. */
  purged?: true;
}

/** The tokens of one part of a page. */
export function windowTokens(run: AgentRun): number {
  const room = roomBeside(run, notesPrompt, blocksOf(run.brief!, '', ''));
  return Math.max(200, Math.min(PART_TOKENS, room - PAGE_INFO));
}

/** The most that one call on a page uses. */
export function callTokens(run: AgentRun): { input: number; output: number } {
  const output = run.outputLimit('reader', notesPrompt.maxTokens);
  const most = run.inputLimit('reader', output);
  const room = roomBeside(run, notesPrompt, blocksOf(run.brief!, '', ''));
  const input = most - room + PAGE_INFO + windowTokens(run);
  return { input: Math.min(most, input), output };
}

/** The notes of one part of a page, each with a quote that is cut from the page. */
export async function noteWindow(
  run: AgentRun,
  key: string,
  page: OpenPage,
  part: Part,
  allowance: Allowance,
): Promise<FoundNote[]> {
  const { found } = await ask(
    run,
    `read:${key}`,
    (within) => noteCall(within, page, part),
    allowance,
  );
  return found;
}

function noteCall(
  run: AgentRun,
  page: OpenPage,
  part: Part,
): Call<Answer, Noted> {
  const { head } = page;
  const brief = run.brief!;
  let shown: { content: PageText; lines: Line[] };
  return {
    prompt: notesPrompt,
    input: {
      url: head.url,
      sha256: head.sha256,
      part,
      about: blocksOf(brief, '', ''),
    },
    inputTokens: callTokens(run).input,
    messages: async (fault) => {
      const content = await page.content();
      const lines = fittingLines(run, content, part);
      shown = { content, lines };
      const headings = headingPath(content.headings, part.start);
      const columns = columnsOf(content, part);
      const info = JSON.stringify({
        url: head.url,
        title: head.title,
        ...(headings.length > 0 && { headings }),
        ...(columns && { columns }),
        ...(head.date && { date: head.date }),
      });
      const blocks = blocksOf(brief, info, shownLines(content.text, lines));
      return messagesOf(notesPrompt, blocks, run.today, fault);
    },
    keep: ({ notes }) => ({
      url: head.url,
      found: notes.flatMap((one) => noted(shown.content, shown.lines, one)),
    }),
    shown: ({ found }) => ({ notes: found.length }),
    detail: `Reading ${head.title || head.url}`.slice(0, 500).toWellFormed(),
  };
}

function blocksOf(brief: Brief, info: string, part: string): Blocks {
  return [
    ['brief', briefText(brief)],
    ['page_info', info],
    ['page', part],
  ];
}

/** The first row of the table within which a part begins: its rows say nothing without it. */
function columnsOf({ text }: PageText, { start }: Part): string {
  const header = headerRow(text, start);
  return header ? cut(shownWords(text, header).trim(), MAX_COLUMNS) : '';
}

/** The lines of a part, as many from its beginning as a run with this context reads at once. */
function fittingLines(run: AgentRun, page: PageText, part: Part): Line[] {
  const lines: Line[] = [];
  let left = windowTokens(run);
  for (const line of linesOf(page, part)) {
    left -= lineTokens(page, line, (text) => run.tokens('reader', text));
    if (left < 0 && lines.length > 0) break;
    lines.push(line);
  }
  return lines;
}

/** Nothing where the answer names lines that were not shown. */
function noted(
  content: PageText,
  lines: readonly Line[],
  answer: Answer['notes'][number],
): FoundNote | [] {
  const passage = passageOf(lines, answer.sentences);
  if (!passage) return [];
  const { text } = content;
  const { start, end } = passage;
  const headings = headingPath(content.headings, start);
  const before = lineBefore(content, start);
  return {
    claim: withoutSeparators(answer.claim),
    kind: answer.kind,
    importance: answer.importance,
    quote: text.slice(start, end),
    start,
    end,
    window: text
      .slice(Math.max(0, start - AROUND), end + AROUND)
      .toWellFormed(),
    ...(headings.length > 0 && { headings }),
    ...(before && { before }),
  };
}
