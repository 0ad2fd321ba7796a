import type { UpstreamRequest } from '../processes/stand';

/** The role of the model that a step asks, by the first part of its key. */
const ROLES: Record<string, string> = {
  scope: 'research_scope',
  plan: 'research_plan',
  choose: 'research_choice',
  read: 'research_notes',
  gaps: 'research_gaps',
  outline: 'research_outline',
  write: 'research_section',
  rewrite: 'research_section',
};

/** One entry of a journal, as far as it is checked. */
interface Entry {
  /** Of a settled step: the attempt that gave its result. */
  attempt?: number;
  decided?: boolean;
  skipped?: string;
  spent?: Partial<Spent>;
  failed?: string;
  unknown?: boolean;
}

interface Spent {
  input_tokens: number;
  output_tokens: number;
}

/** What the journal of a run has, as a test reads it. */
export interface JournalSums {
  /** Settled calls of models, by role: each was paid. */
  calls: Record<string, number>;
  /** Attempts at calls of models, by role: all that can have been paid. */
  attempts: Record<string, number>;
  /** Settled steps, without decisions. */
  settled: number;
  skipped: number;
  /** Attempts that may have had their effect and gave no result. */
  ambiguous: string[];
  spent: Spent;
}

/** @param flat the fields and values of the hash. */
export function sumsOf(flat: string[]): JournalSums {
  const fields = new Map<string, Entry>();
  for (let n = 0; n < flat.length; n += 2)
    fields.set(flat[n], JSON.parse(flat[n + 1]) as Entry);
  const entries = [...fields];
  const steps = entries.filter(([field]) => !field.includes('#'));
  const attempts = entries.filter(([field]) => field.includes('#'));
  const sum = (name: keyof Spent): number =>
    steps.reduce((total, [, { spent }]) => total + (spent?.[name] ?? 0), 0);
  return {
    calls: countByRole(
      // A step that begins after the time of its run is settled without a call.
      steps.filter(([, one]) => one.attempt && one.spent?.input_tokens),
    ),
    attempts: countByRole(attempts),
    settled: steps.filter(([, one]) => !one.decided && !one.skipped).length,
    skipped: steps.filter(([, one]) => one.skipped).length,
    ambiguous: attempts
      .filter(([field, { failed, unknown }]) => {
        const [key, n] = field.split('#');
        return fields.get(key)?.attempt !== Number(n) && (!failed || unknown);
      })
      .map(([field]) => field),
    spent: {
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
    },
  };
}

/** Calls of the agent's models among these requests, by role. */
export function callsByRole(
  requests: readonly UpstreamRequest[],
): Record<string, number> {
  const roles = requests.map(({ body }) => {
    const format = JSON.stringify(body.text ?? body.response_format ?? '');
    return /"name":"(research_[a-z]+)"/.exec(format)?.[1];
  });
  return count(roles);
}

function countByRole(entries: [string, Entry][]): Record<string, number> {
  return count(
    entries.map(([field]) => ROLES[/^[a-z]+/.exec(field)?.[0] ?? '']),
  );
}

function count(names: (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names)
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
