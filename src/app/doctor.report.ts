import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../errors';
import type { Checkup, Finding } from '../redis/checkup';
import { isRedisUnavailable } from '../redis/redis-unavailable';

/** What is only under way just now is over after that. */
const SECOND_LOOK_MS = 1_000;
const AT_ONCE = 50;
const IDS_SHOWN = 5;
const AWAY: Finding = {
  problem: 'Cannot be reached, or refuses the user and password',
};

/**
 * Looks at everything, mends what it may, and prints a line for each kind of finding and the sum of them.
 * Answers whether nothing is left to be done.
 */
export async function examine(
  checkups: readonly Checkup[],
  { fix, print }: { fix: boolean; print: (line: string) => void },
): Promise<boolean> {
  let [found, mended] = [0, 0];
  for (const checkup of checkups) {
    const findings = await findingsOf(checkup);
    if (findings.length === 0) print(`${checkup.title}: ok`);
    else print(checkup.title);
    for (const group of byProblem(findings)) {
      const done = fix ? await mend(group) : 0;
      print(`  ${describe(group)}${fix ? outcome(group, done) : ''}`);
      mended += done;
    }
    found += findings.length;
    if (findings.includes(AWAY)) break;
  }
  print(`${found} findings, ${mended} mended`);
  return found === mended;
}

/** Only what two looks see: between two writes of a process that is alive everything looks broken. */
async function findingsOf(checkup: Checkup): Promise<Finding[]> {
  try {
    const first = await look(checkup);
    if (first.size === 0) return [];
    await pause(SECOND_LOOK_MS);
    const second = await look(checkup);
    return [...second].filter(([name]) => first.has(name)).map(([, it]) => it);
  } catch (error) {
    if (isRedisUnavailable(error)) return [AWAY];
    throw error;
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

/** How many are mended. */
async function mend(findings: Finding[]): Promise<number> {
  let mended = 0;
  for (let i = 0; i < findings.length; i += AT_ONCE) {
    const done = findings.slice(i, i + AT_ONCE).map(async (finding) => {
      if (!finding.mend) return;
      try {
        await finding.mend();
        mended += 1;
      } catch (error) {
        if (!(error instanceof AppError) && !isRedisUnavailable(error))
          throw error;
      }
    });
    await Promise.all(done);
  }
  return mended;
}

function describe(findings: Finding[]): string {
  const ids = findings.flatMap(({ id }) => id ?? []);
  const [{ problem }] = findings;
  if (ids.length === 0) return problem;
  const more = ids.length > IDS_SHOWN ? ', …' : '';
  return `${problem} (${ids.length}): ${ids.slice(0, IDS_SHOWN).join(', ')}${more}`;
}

function outcome(findings: Finding[], mended: number): string {
  if (mended === findings.length) return ' - mended';
  if (findings.every(({ mend: way }) => !way))
    return ' - cannot be mended here';
  return ` - ${mended} of ${findings.length} mended, try again`;
}
