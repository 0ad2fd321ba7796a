import { createHash } from 'node:crypto';
import { ownTurn } from '../../../platform/own-turn';
import type { Candidate, Page } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { relevantWindows, type Window, windowsOf } from '../text/page-windows';
import { termsOf } from '../text/terms';
import { isSkipped, MaterialGone } from './model-failures';

/** The last one records the failure instead of leaving the step without a result. */
const ATTEMPTS = 4;
/** Faults that may be gone at the next attempt. */
const TRANSIENT = ['timeout', 'unreachable'];
/** What is counted of a text to learn how many characters a token has. */
const SAMPLE = 20_000;
/** Parts of a page whose tokens are counted. */
const MOST_COUNTED = 40;

/** What the journal keeps of a page before it is noted: everything but its text. */
export interface PageHead {
  url: string;
  title: string;
  sha256: string;
  fetchedAt: string;
  language?: string;
  windows: Window[];
}

/** A page whose text is fetched again if this worker has not fetched it itself. */
export interface OpenPage {
  head: PageHead;
  /** @throws MaterialGone if the page has changed, or cannot be read any more. */
  text(): Promise<string>;
}

type Opened = { head: PageHead } | { fault: string };

/** Opens a page; a fault if it cannot be read. */
export async function openPage(
  run: AgentRun,
  key: string,
  candidate: Candidate,
  size: { tokens: number; windows: number },
): Promise<OpenPage | { fault: string }> {
  let held: string | undefined;
  const opened = await step(run, key, candidate, async (signal) => {
    const page = await load(run, candidate, signal);
    held = page.text;
    return headOf(run, page, candidate, size);
  });
  if ('fault' in opened) return opened;
  const { head } = opened;
  const text = async (): Promise<string> => {
    held ??= await reload(run, candidate, head);
    return held;
  };
  return { head, text };
}

async function step(
  run: AgentRun,
  key: string,
  candidate: Candidate,
  open: (signal: AbortSignal) => Promise<PageHead>,
): Promise<Opened> {
  const { url } = candidate;
  try {
    return await run.journal.step<Opened>(
      key,
      { url },
      'page',
      async (signal, attempt) => {
        const opened = await open(signal).then(
          (head): Opened => ({ head }),
          (error: unknown): Opened => ({ fault: faultOf(error, attempt) }),
        );
        if ('fault' in opened) return { value: opened };
        return {
          value: opened,
          spent: { pages: 1 },
          events: [
            {
              type: 'progress',
              data: {
                kind: 'open_page',
                detail: url.slice(0, 500).toWellFormed(),
              },
            },
          ],
        };
      },
    );
  } catch (error) {
    if (!isSkipped(error)) throw error;
    return { fault: 'interrupted' };
  }
}

/** The fault of a page; rethrows what is none, and what another attempt may mend. */
function faultOf(error: unknown, attempt: number): string {
  const { fault } = error as { fault?: unknown };
  if (typeof fault !== 'string') throw error;
  if (TRANSIENT.includes(fault) && attempt < ATTEMPTS) throw error;
  return fault;
}

async function load(
  run: AgentRun,
  { url, title, held }: Candidate,
  signal: AbortSignal,
): Promise<Page> {
  const document = documentOf(run, url);
  if (document) return pageOf(url, document.title, document.text);
  if (!held) return run.ports.pages.read(url, signal);
  const { hits } = await run.ports.search.search(held, signal);
  const content = hits.find((hit) => hit.url === url)?.content;
  if (content === undefined) throw new PageFault('unreachable');
  return pageOf(url, title, content);
}

/** A document of the caller; its address is its place in the request. */
function documentOf(run: AgentRun, url: string) {
  const [, at] = /^document:(\d+)$/.exec(url) ?? [];
  return at && run.task.args.documents?.[Number(at) - 1];
}

function pageOf(url: string, title: string, text: string): Page {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { url, title, text, sha256, fetchedAt: '', mime: 'text/plain' };
}

class PageFault extends Error {
  constructor(readonly fault: string) {
    super(fault);
  }
}

async function reload(
  run: AgentRun,
  candidate: Candidate,
  head: PageHead,
): Promise<string> {
  let page: Page;
  try {
    page = await load(run, candidate, run.signal);
  } catch (error) {
    if (typeof (error as { fault?: unknown }).fault !== 'string') throw error;
    throw new MaterialGone();
  }
  if (page.sha256 !== head.sha256) throw new MaterialGone();
  return page.text;
}

async function headOf(
  run: AgentRun,
  page: Page,
  candidate: Candidate,
  { tokens, windows }: { tokens: number; windows: number },
): Promise<PageHead> {
  const { goal, sub_questions } = run.brief!;
  const wanted = new Set(termsOf([goal, ...sub_questions].join(' ')));
  const size = await sizeOf(run, page.text, tokens);
  const { url, sha256, fetchedAt, language } = page;
  return {
    // The page's own words in one line: a title is shown to models and in links.
    title: (page.title || candidate.title)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, 300)
      .toWellFormed(),
    url,
    sha256,
    fetchedAt: fetchedAt || new Date(run.ports.now()).toISOString(),
    ...(language && { language }),
    windows: await relevantWindows(page.text, size, windows, wanted),
  };
}

/** How many UTF-16 units of this text surely have no more than so many tokens. */
async function sizeOf(
  run: AgentRun,
  text: string,
  tokens: number,
): Promise<number> {
  const count = (part: string): number => run.tokens('reader', part);
  const sample = text.slice(0, SAMPLE);
  const perToken = sample.length / Math.max(1, count(sample));
  let size = Math.max(200, Math.floor(tokens * perToken));
  // Parts of a page differ: a table or a code listing has more tokens than prose.
  const hasTooLarge = async (): Promise<boolean> => {
    let tried = 0;
    for (const { start, end } of windowsOf(text, size)) {
      if (count(text.slice(start, end)) > tokens) return true;
      if ((tried += 1) === MOST_COUNTED) return false;
      await ownTurn();
    }
    return false;
  };
  while (size > 200 && (await hasTooLarge())) size = Math.floor(size * 0.8);
  return size;
}
