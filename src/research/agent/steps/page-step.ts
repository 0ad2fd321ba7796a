import { createHash } from 'node:crypto';
import { markdownHeadings } from '../../../sources/pages/extraction/headings';
import { isOtherEdition } from '../../../sources/pages/other-edition';
import type { Candidate, Page } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { soughtBy } from '../candidates/candidate';
import type { PageText } from '../parts/lines';
import type { Part } from '../parts/parts';
import { type Want, wantedParts } from '../parts/wanted-parts';
import { isSkipped, MaterialGone } from './model-failures';

/** The last one records the failure instead of leaving the step without a result. */
const ATTEMPTS = 4;
/** Faults that may be gone at the next attempt. */
const TRANSIENT = ['timeout', 'unreachable'];

/** What the journal keeps of a page before it is noted: everything but its text. */
export interface PageHead {
  url: string;
  title: string;
  sha256: string;
  fetchedAt: string;
  language?: string;
  /** On which it was published, as the search has it. */
  date?: string;
  /** What it was opened for, see `soughtBy`. */
  sought: string;
  /** What is to be read of it now. */
  parts: Part[];
  /** With these, nothing of the text is left. */
  whole?: true;
}

/** A page whose text is fetched again if this worker has not fetched it itself. */
export interface OpenPage {
  head: PageHead;
  /** @throws MaterialGone if the page has changed, or cannot be read any more. */
  content(): Promise<PageText>;
}

type Opened = { head: PageHead } | { fault: string };

/** What the step that opens a page depends on: its address; for another part of a page that was read, also the query. */
export function pageInput({ url }: Candidate, { queries, read }: Want): object {
  return read.length === 0 ? { url } : { url, query: queries[0], read };
}

/** Opens a page; a fault if it cannot be read. */
export async function openPage(
  run: AgentRun,
  key: string,
  candidate: Candidate,
  want: Want,
): Promise<OpenPage | { fault: string }> {
  let held: PageText | undefined;
  const opened = await step(run, key, candidate, want, async (signal) => {
    const page = await load(run, candidate, signal);
    // Of what other lanes read at this moment nothing is known here, so that a takeover decides the same.
    if (isOtherEdition(page, run.sources)) throw new PageFault('other_edition');
    held = textOf(page);
    return headOf(run, page, held, candidate, want);
  });
  if ('fault' in opened) return opened;
  const { head } = opened;
  const content = async (): Promise<PageText> => {
    held ??= await reload(run, candidate, head);
    return held;
  };
  return { head, content };
}

function textOf({ text, headings = [] }: Page): PageText {
  return { text, headings: headings.toSorted((a, b) => a.at - b.at) };
}

async function step(
  run: AgentRun,
  key: string,
  candidate: Candidate,
  want: Want,
  open: (signal: AbortSignal) => Promise<PageHead>,
): Promise<Opened> {
  const { url } = candidate;
  try {
    return await run.journal.step<Opened>(
      key,
      pageInput(candidate, want),
      'page',
      async (signal, attempt) => {
        const opened = await open(signal).then(
          (head): Opened => ({ head }),
          (error: unknown): Opened => ({ fault: faultOf(error, attempt) }),
        );
        if ('fault' in opened) return { value: opened };
        return {
          value: opened,
          // A page counts once, however many of its parts are read.
          spent: { pages: want.read.length === 0 ? 1 : 0 },
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
  const headings = markdownHeadings(text);
  const mime = 'text/plain';
  return { url, title, text, sha256, fetchedAt: '', mime, headings };
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
): Promise<PageText> {
  let page: Page;
  try {
    page = await load(run, candidate, run.signal);
  } catch (error) {
    if (typeof (error as { fault?: unknown }).fault !== 'string') throw error;
    throw new MaterialGone();
  }
  if (page.sha256 !== head.sha256) throw new MaterialGone();
  return textOf(page);
}

async function headOf(
  run: AgentRun,
  page: Page,
  content: PageText,
  candidate: Candidate,
  want: Want,
): Promise<PageHead> {
  const { url, sha256, fetchedAt, language } = page;
  const date = candidate.publishedAt?.slice(0, 10);
  const found = await wantedParts(content, want, (text) =>
    run.tokens('reader', text),
  );
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
    ...(date && { date }),
    sought: soughtBy(candidate),
    parts: found.parts,
    ...(!found.more && { whole: true }),
  };
}
