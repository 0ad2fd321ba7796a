import type { EarlierResults } from './journal';
import {
  DECISION,
  hashOf,
  type Settled,
  type StepRecord,
} from './journal-entries';

/** Of the fields of a journal that hold what its run has from the run that it continues: `inherited:<sort>:<input>`. */
const PREFIX = 'inherited:';

/** `page:…:10` after `page:…:9`. */
const ORDER = new Intl.Collator('en', { numeric: true });

/** What an entry holds of the step that it was. */
export type Inherited = Extract<Settled, { attempt: number }> & {
  /** The key that it had. */
  from: string;
};

/** `search` of `search:public0:0:1`: steps of one sort and of equal input have equal results. */
export function sortOf(key: string): string {
  return /^[a-z]*/.exec(key)![0];
}

export function inheritedField(sort: string, input: string): string {
  return `${PREFIX}${sort}:${input}`;
}

export function isInherited(field: string): boolean {
  return field.startsWith(PREFIX);
}

/**
 * The results of the run that this one continues. They are found by what a step depends on, not by its key: with wider limits
 * the same search or page has another place in the run.
 */
export class Inheritance implements EarlierResults {
  private constructor(private readonly entries: Map<string, Inherited>) {}

  /** Takes the inherited entries out of `steps`. */
  static takenFrom(steps: Map<string, StepRecord>): Inheritance {
    const entries = new Map<string, Inherited>();
    for (const [field, { settled }] of steps) {
      if (!isInherited(field)) continue;
      entries.set(field, settled as Inherited);
      steps.delete(field);
    }
    return new Inheritance(entries);
  }

  get size(): number {
    return this.entries.size;
  }

  /** @param input hash. */
  find(key: string, input: string): Inherited | undefined {
    return this.entries.get(inheritedField(sortOf(key), input));
  }

  has(key: string, input: unknown): boolean {
    return this.find(key, hashOf(input)) !== undefined;
  }

  /** The results of all steps of a sort, in the order of the earlier run. */
  values<T>(sort: string): T[] {
    return [...this.entries]
      .filter(([field]) => field.startsWith(`${PREFIX}${sort}:`))
      .map(([, entry]) => entry)
      .toSorted((a, b) => ORDER.compare(a.from, b.from))
      .map(({ value }) => value as T);
  }

  decision<T>(key: string): T | undefined {
    return this.find(key, DECISION)?.value as T | undefined;
  }
}
