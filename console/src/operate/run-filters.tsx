import { common } from '../i18n/common.words';
import { operateWords } from './operate.words';

/** Seconds; empty: of every age. */
const AGES = ['', '600', '3600', '86400'] as const;

/** Empty: of every value. */
export interface RunFilter {
  status: string;
  engine: string;
  key: string;
  /** Seconds. */
  age: string;
  order: 'newest' | 'oldest';
}

export const UNFINISHED: RunFilter = {
  status: 'unfinished',
  engine: '',
  key: '',
  age: '',
  order: 'newest',
};

/** Which runs are listed, and in which order. */
export function RunFilters({
  filter,
  onChange,
}: {
  filter: RunFilter;
  onChange: (filter: RunFilter) => void;
}) {
  const w = operateWords();
  const { status, engine } = common();
  const { hosted, agent, plain } = engine;
  const choices = {
    status: Object.entries({
      unfinished: w.unfinished,
      requires_action: status.requires_action,
      failed: status.failed,
      '': w.any,
    }),
    engine: Object.entries({ '': w.anyEngine, hosted, agent, plain }),
    age: AGES.map((one) => [one, w.ages[one]]),
    order: Object.entries(w.orders),
  };
  return (
    <div class="row filters">
      <input
        type="search"
        aria-label={w.key}
        placeholder={w.key}
        maxLength={128}
        value={filter.key}
        onInput={({ currentTarget: { value } }) =>
          onChange({ ...filter, key: value })
        }
      />
      {(['status', 'engine', 'age', 'order'] as const).map((name) => (
        <select
          key={name}
          aria-label={w.filters[name]}
          value={filter[name]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...filter, [name]: value })
          }
        >
          {choices[name].map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ))}
    </div>
  );
}
