import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../platform/errors';
import type { Checkup, Finding } from '../platform/redis/checkup.types';
import {
  faultOf,
  NOT_PERMITTED,
  RedisRefusal,
  UNREACHABLE,
} from '../platform/redis/state/redis-faults';
import { isRedisUnavailable } from '../platform/redis/redis-unavailable';

/** A second look this much later excludes what is only in progress. */
const SECOND_LOOK_MS = 1_000;
const CONCURRENT_FIXES = 50;
const IDS_SHOWN = 5;
const AWAY = 'Cannot be reached, or refuses the user and password';

/**
 * Runs all checkups, fixes what can be fixed, and prints a line for each kind of finding and a summary.
 * @returns whether no finding is left.
 */
export async function examine(
  checkups: readonly Checkup[],
  { fix, print }: { fix: boolean; print: (line: string) => void },
): Promise<boolean> {
  let [found, fixed] = [0, 0];
  for (const checkup of checkups) {
    const { findings, ends } = await findingsOf(checkup);
    if (findings.length === 0) print(`${checkup.title}: ok`);
    else print(checkup.title);
    for (const group of byProblem(findings)) {
      const done = fix ? await fixAll(group) : 0;
      print(`  ${describe(group)}${fix ? outcome(group, done) : ''}`);
      fixed += done;
    }
    found += findings.length;
    if (ends) break;
  }
  print(`${found} ${found === 1 ? 'finding' : 'findings'}, ${fixed} fixed`);
  return found === fixed;
}

interface Findings {
  findings: Finding[];
  /** Nothing else can be looked at. */
  ends?: boolean;
}

/** Only findings of both looks: between two writes of a live process everything looks broken. */
async function findingsOf(checkup: Checkup): Promise<Findings> {
  try {
    const first = await look(checkup);
    if (first.size === 0) return { findings: [] };
    await pause(SECOND_LOOK_MS);
    const second = await look(checkup);
    const both = [...second].filter(([name]) => first.has(name));
    return { findings: both.map(([, it]) => it) };
  } catch (error) {
    const fault = faultOf(error);
    if (!fault) throw error;
    const problem = fault === UNREACHABLE ? AWAY : fault.meaning;
    // A command that one checkup needs may be permitted to no other.
    const ends = fault !== NOT_PERMITTED || error instanceof RedisRefusal;
    return { findings: [{ problem }], ends };
  }
}

async function look(checkup: Checkup): Promise<Map<string, Finding>> {
  const found = new Map<string, Finding>();
  for await (const finding of checkup.look())
    found.set(JSON.stringify([finding.problem, finding.id]), finding);
  return found;
}

function byProblem(findings: Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.problem);
    if (group) group.push(finding);
    else groups.set(finding.problem, [finding]);
  }
  return [...groups.values()];
}

/** Returns how many were fixed. */
async function fixAll(findings: Finding[]): Promise<number> {
  let fixed = 0;
  for (let i = 0; i < findings.length; i += CONCURRENT_FIXES) {
    const done = findings
      .slice(i, i + CONCURRENT_FIXES)
      .map(async (finding) => {
        if (!finding.fix) return;
        try {
          await finding.fix();
          fixed += 1;
        } catch (error) {
          if (!(error instanceof AppError) && !isRedisUnavailable(error))
            throw error;
        }
      });
    await Promise.all(done);
  }
  return fixed;
}

function describe(findings: Finding[]): string {
  const ids = findings.flatMap(({ id }) => id ?? []);
  const [{ problem }] = findings;
  if (ids.length === 0) return problem;
  const more = ids.length > IDS_SHOWN ? ', …' : '';
  return `${problem} (${ids.length}): ${ids.slice(0, IDS_SHOWN).join(', ')}${more}`;
}

function outcome(findings: Finding[], fixed: number): string {
  if (fixed === findings.length) return ' - fixed';
  if (findings.every(({ fix: repair }) => !repair))
    return ' - cannot be fixed here';
  return ` - ${fixed} of ${findings.length} fixed, try again`;
}
