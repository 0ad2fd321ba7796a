import type { Candidate } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { byPage, pageKey, soughtBy } from '../candidates/candidate';
import { inLanes } from './lanes';
import {
  adopt,
  affordable,
  rangesOf,
  readPage,
  type Reading,
  unread,
  wantOf,
} from './page-reading';

/** Directions that are read at once. */
const LANES = 3;

/**
 * Reads up to `most` pages, allocated to the directions in the order of the plan. Pages and money are divided before anything
 * is read, so that no direction depends on the pace of another. Returns the candidates that are left.
 * @param lists none of them has a page that another one has.
 */
export async function readRound(
  run: AgentRun,
  round: string,
  lists: readonly Candidate[][],
  most: number,
): Promise<Candidate[][]> {
  const tried = lists.map(() => 0);
  const rest = (): Candidate[][] =>
    lists.map((list, at) => list.slice(tried[at]));
  let left = Math.min(most, run.limits.pages - run.sources.length);
  for (;;) {
    run.adoptContexts();
    const quotas = allocate(rest(), left);
    const wanted = quotas.reduce((sum, one) => sum + one, 0);
    if (wanted === 0) break;
    const pages = Math.min(wanted, affordable(run));
    if (pages === 0) break;
    const readings = await inLanes(
      allocate(rest(), pages),
      LANES,
      (quota, at) =>
        readDirection(run, `${round}.${at}`, lists, at, tried[at], quota),
    );
    readings.forEach((reading, at) => {
      adopt(run, reading);
      run.pagesTried += reading.tried;
      tried[at] += reading.tried;
      left -= reading.pages.length;
    });
    if (readings.some(({ late }) => late)) break;
  }
  const isFull = run.sources.length >= run.limits.pages;
  if (isFull && rest().some((list) => list.length > 0))
    run.noteLimit('max_pages');
  return rest();
}

/** How many pages each direction gets: one each in the order of the plan, until none is left. */
function allocate(lists: readonly Candidate[][], most: number): number[] {
  const quotas = lists.map(() => 0);
  let left = most;
  for (let gave = true; gave && left > 0;) {
    gave = false;
    lists.forEach((list, at) => {
      if (left <= 0 || quotas[at] >= list.length) return;
      quotas[at] += 1;
      left -= 1;
      gave = true;
    });
  }
  return quotas;
}

/** One page after another. A page that cannot be read is replaced by the next candidate. */
async function readDirection(
  run: AgentRun,
  place: string,
  lists: readonly Candidate[][],
  direction: number,
  from: number,
  quota: number,
): Promise<Reading> {
  const candidates = lists[direction];
  const reading = unread();
  const most = Math.min(
    candidates.length - from,
    quota === 0 ? 0 : quota * 2 + 2,
  );
  while (reading.pages.length < quota && reading.tried < most) {
    const at = from + reading.tried;
    const key = `${place}:${at}`;
    reading.late = await run.isLate(key);
    if (reading.late) break;
    const candidate = candidates[at];
    const want = wantOf(run, candidate, direction);
    await readPage(run, key, candidate, want, reading);
    if (reading.late) break;
  }
  return reading;
}

/** For another query, of the pages of one direction in one round. */
const FURTHER = 2;

/** Also the run that this one continues may have opened it for the same. */
function mayHaveMore({ pages }: AgentRun, candidate: Candidate): boolean {
  const page = pages.get(pageKey(candidate));
  return page?.whole === false && !page.sought.includes(soughtBy(candidate));
}

/**
 * Reads other parts of pages that the run has read, the best first and until one says nothing, at most two of each direction. The pages count once, their parts cost
 * tokens. Openings of one page follow each other, so that none of its parts is read twice.
 * @param lists the hits of each direction that are such pages, the best first.
 */
export async function readFurther(
  run: AgentRun,
  round: string,
  lists: readonly Candidate[][],
): Promise<void> {
  run.adoptContexts();
  const openings = lists
    .flatMap((list, direction) =>
      list
        .filter((one) => mayHaveMore(run, one))
        .slice(0, FURTHER)
        .map((candidate) => ({ candidate, direction })),
    )
    .map((one, at) => ({ ...one, key: `${round}+${one.direction}:${at}` }));
  if (openings.length === 0) return;
  const paid = openings.slice(0, affordable(run));
  const groups = byPage(paid, ({ candidate }) => candidate);
  const readings = await inLanes([...groups], LANES, async ([page, group]) => {
    const reading = unread();
    const { read } = run.pages.get(page)!;
    for (const { key, candidate, direction } of group) {
      reading.late = reading.late || (await run.isLate(key));
      if (reading.late) break;
      const now = reading.pages.flatMap(({ head }) => rangesOf(head));
      const want = wantOf(run, candidate, direction, [...read, ...now]);
      await readPage(run, key, candidate, want, reading);
      const last = reading.pages.at(-1);
      if (last?.head.whole || last?.exhausted) break;
    }
    return reading;
  });
  readings.forEach((reading) => adopt(run, reading));
}
