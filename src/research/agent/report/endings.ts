import type { AgentRun } from '../agent-run';
import type { AgentReport } from '../agent.types';
import { LimitReached, type ModelFailed } from '../steps/model-failures';
import type { ReportWriter } from './report-writer';

type Ending = Pick<AgentReport, 'status' | 'code' | 'message'>;

const REFUSED =
  '; RELAY_PAGES_ALLOWED_ORIGINS opens origins whose addresses are not public.';
/** Listed of what was tried. */
const MAX_LISTED = 8;

/** How a run ends without a single usable note: with what was tried. Names of providers and codes, never hosts or keys. */
export function nothingFound(run: AgentRun): Ending {
  const { searches, answered, sources, failed, limitsReached } = run;
  const limits = [...limitsReached].sort();
  const isPoor = limitsReached.has('key_budget');
  const done = sources.length === 0 ? 'read' : 'noted';
  if (limits.length > 0 && (sources.length === 0 || isPoor))
    return {
      status: 'incomplete',
      code: 'research_limit_reached',
      message: `A limit was reached before anything was ${done} (${limits.join(', ')}). ${tried(run)}`,
    };
  if (sources.length === 0 && failed.length === 0 && searches === 0)
    return {
      status: 'failed',
      code: 'search_failed',
      message:
        'No search provider is configured for these data sources, and no documents were sent.',
    };
  if (searches > 0 && answered === 0 && sources.length === 0)
    return {
      status: 'failed',
      code: 'search_failed',
      message: `No search succeeded. ${tried(run)}`,
    };
  return {
    status: 'incomplete',
    code: 'nothing_found',
    message: `Nothing was found that answers the question. ${tried(run)}`,
  };
}

/** How a run ends whose model gave no usable answer where one is needed: with why, and what of the report is missing. */
export function modelFailure(
  run: AgentRun,
  error: ModelFailed | LimitReached,
  writer?: ReportWriter,
): Ending {
  const rest = `${missing(writer)}${tried(run)}`;
  if (error instanceof LimitReached) {
    run.limitsReached.add(error.limit);
    return {
      status: 'incomplete',
      code: 'research_limit_reached',
      message: `The limit ${error.limit} was reached. ${rest}`,
    };
  }
  const role = error.role.replace('research_', '');
  const fault = error.fault.replace(/\.?$/, '.');
  return {
    status: writer?.begun ? 'incomplete' : 'failed',
    code: error.code,
    message: `The model gave no usable answer in the role "${role}": ${fault} ${rest}`,
  };
}

/** "Not written, with their notes instead: sections 3, 4 of 5. " */
function missing(writer?: ReportWriter): string {
  const { outline } = writer ?? {};
  const unwritten = (writer?.unwritten ?? []).toSorted((a, b) => a - b);
  if (unwritten.length === 0) return '';
  const all = outline!.sections.length;
  return `Not written, with their notes instead: sections ${unwritten.join(', ')} of ${all}. `;
}

/** "6 searches, 2 of them answered: brave unauthorized (4). 3 pages tried, 1 read: robots (2)." */
function tried(run: AgentRun): string {
  const { searches, answered, pagesTried, sources, failed } = run;
  const all = failed.flatMap((one) => one.tried);
  const ofPages = all.filter(({ provider }) => provider === 'page');
  const ofSearches = all.filter(({ provider }) => provider !== 'page');
  return [
    `${searches} searches, ${answered} of them answered`,
    faults(ofSearches.map(({ provider, fault }) => `${provider} ${fault}`)),
    `. ${pagesTried} pages tried, ${sources.length} read`,
    faults(ofPages.map(({ fault }) => fault)),
    ofPages.some(({ fault }) => fault === 'address_refused') ? REFUSED : '.',
  ].join('');
}

function faults(all: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  const listed = [...counts]
    .slice(0, MAX_LISTED)
    .map(([one, count]) => `${one} (${count})`);
  return listed.length > 0 ? `: ${listed.join(', ')}` : '';
}
