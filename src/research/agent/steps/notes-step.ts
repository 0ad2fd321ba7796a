import type { AgentRun } from '../agent-run';
import type { Brief } from '../agent.types';
import type { Allowance } from '../budget/allowance';
import {
  type Blocks,
  cut,
  messagesOf,
  type RolePrompt,
  withoutSeparators,
} from '../prompts/prompt';
import { MAX_QUOTE, notesPrompt } from '../prompts/notes.prompt';
import { quotesPrompt } from '../prompts/quotes.prompt';
import { briefText } from '../prompts/wishes';
import type { Window } from '../text/page-windows';
import { ask } from './ask';
import type { Call } from './model-step';
import type { OpenPage } from './page-step';
import { roomBeside } from './role-call';

/** Kept around each quote, in UTF-16 units: with the quote at most 1 kB of a Latin text. */
const AROUND = 300;
/** Searched on both sides of a part: whether a quote begins or ends within a word or number. */
const BESIDE = 100;
/** More of a page at once is read badly. */
const MAX_WINDOW_TOKENS = 6_000;

export interface FoundNote {
  claim: string;
  quote: string;
  start: number;
  end: number;
  window: string;
}

interface Noted {
  /** Of the page. */
  url: string;
  found: FoundNote[];
  /** Quotes that the page does not have. */
  missing: { claim: string; quote: string }[];
}

/** The tokens of one part of a page. */
export function windowTokens(run: AgentRun): number {
  const room = roomBeside(run, notesPrompt, blocksOf(run.brief!, '', ''));
  // For the address and the title, and what separators add.
  return Math.max(200, Math.min(MAX_WINDOW_TOKENS, room - 300));
}

/** The most that one call on a page uses. */
export function callTokens(run: AgentRun): { input: number; output: number } {
  const output = run.outputLimit('reader', notesPrompt.maxTokens);
  return { input: run.inputLimit('reader', output), output };
}

/** The notes of one part of a page. Quotes that are not in the page are asked for once more, else dropped. */
export async function noteWindow(
  run: AgentRun,
  key: string,
  page: OpenPage,
  window: Window,
  allowance: Allowance,
): Promise<FoundNote[]> {
  const noted = await ask(
    run,
    `read:${key}`,
    (within) => noteCall(within, page, partWithin(run, within, window)),
    allowance,
  );
  if (noted.missing.length === 0) return noted.found;
  const again = await quoteAgain(run, key, page, window, noted, allowance);
  return [...noted.found, ...again];
}

/** The beginning of a part, as long as a run with a smaller context reads at once. */
function partWithin(run: AgentRun, within: AgentRun, window: Window): Window {
  if (within === run) return window;
  const share = Math.min(1, windowTokens(within) / windowTokens(run));
  const length = Math.floor((window.end - window.start) * share);
  return { ...window, end: window.start + length };
}

function noteCall(run: AgentRun, page: OpenPage, window: Window) {
  let text = '';
  return onPage(
    run,
    notesPrompt,
    page,
    window,
    (part, info) => {
      return blocksOf(run.brief!, info, part);
    },
    async () => (text = await page.text()),
    ({ notes }): Noted => {
      const noted: Noted = { url: page.head.url, found: [], missing: [] };
      const part = partOf(run, text, window);
      for (const { claim, quote } of notes) {
        const found = locate(part, claim, quote);
        if (found) noted.found.push(found);
        else noted.missing.push({ claim, quote: cut(quote, MAX_QUOTE) });
      }
      return noted;
    },
  );
}

/** Without an answer the page keeps the notes that it has. */
async function quoteAgain(
  run: AgentRun,
  key: string,
  page: OpenPage,
  window: Window,
  { missing }: Noted,
  allowance: Allowance,
): Promise<FoundNote[]> {
  let text = '';
  const list = JSON.stringify(missing.map(({ quote }) => quote));
  const callIn = (within: AgentRun) => {
    const shown = partWithin(run, within, window);
    return onPage(
      within,
      quotesPrompt,
      page,
      shown,
      (part, info) => [
        ['page_info', info],
        ['page', part],
        ['missing', list],
      ],
      async () => (text = await page.text()),
      ({ quotes }) => {
        const part = partOf(run, text, shown);
        const found = quotes.flatMap(({ index, quote }) => {
          const claim = missing[index]?.claim;
          if (claim === undefined || !quote) return [];
          return locate(part, claim, quote) ?? [];
        });
        return { url: page.head.url, found };
      },
    );
  };
  try {
    return (await ask(run, `quote:${key}`, callIn, allowance)).found;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'ModelFailed' || name === 'LimitReached') return [];
    throw error;
  }
}

function onPage<T, R extends { found: FoundNote[] }>(
  run: AgentRun,
  prompt: RolePrompt<T>,
  { head }: OpenPage,
  window: Window,
  blocks: (part: string, info: string) => Blocks,
  load: () => Promise<string>,
  keep: (answer: T) => R,
): Call<T, R> {
  const info = JSON.stringify({ url: head.url, title: head.title });
  const output = run.outputLimit(prompt.model, prompt.maxTokens);
  return {
    prompt,
    input: {
      url: head.url,
      sha256: head.sha256,
      window,
      about: blocks('', ''),
    },
    inputTokens: run.inputLimit(prompt.model, output),
    messages: async (fault) => {
      const text = await load();
      const part = text.slice(window.start, window.end);
      return messagesOf(prompt, blocks(part, info), run.today, fault);
    },
    keep,
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

/** What of a page is searched for quotes: the part that the model was given, and a little more. */
interface SearchedPart {
  text: string;
  /** Where the part begins. */
  from: number;
  part: ReturnType<AgentRun['ports']['evidence']['page']>;
}

function partOf(run: AgentRun, text: string, window: Window): SearchedPart {
  const from = Math.max(0, window.start - BESIDE);
  const part = text.slice(from, window.end + BESIDE);
  return { text, from, part: run.ports.evidence.page(part) };
}

/** The quote as the page has it, with what stands around it. */
function locate(
  { text, from: offset, part }: SearchedPart,
  claim: string,
  quote: string,
): FoundNote | undefined {
  const found = part.findQuote(withoutSeparators(quote));
  if (!found) return undefined;
  const start = offset + found.start;
  const own = cut(found.text, MAX_QUOTE);
  const end = start + own.length;
  const from = Math.max(0, start - AROUND);
  return {
    claim: withoutSeparators(claim),
    quote: own.toWellFormed(),
    start,
    end,
    window: text.slice(from, end + AROUND).toWellFormed(),
  };
}
