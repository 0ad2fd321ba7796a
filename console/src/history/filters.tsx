import { common } from '../i18n/common.words';
import { named } from '../i18n/language';
import { type Filter, type Kind, STATUSES, statusOf } from './entries';
import { historyWords } from './history.words';

const AGES = ['', '1', '7', '30', 'days'] as const;
/** Of four digits. */
const LAST_DAY = '9999-12-31';

/** Which entries are listed. */
export function Filters({
  kind,
  filter,
  onChange,
}: {
  kind: Kind;
  filter: Filter;
  onChange: (filter: Filter) => void;
}) {
  const w = historyWords();
  const c = common();
  return (
    <div class="row filters">
      <input
        type="search"
        aria-label={w.search}
        placeholder={w.search}
        maxLength={200}
        value={filter.search}
        onInput={({ currentTarget: { value } }) =>
          onChange({ ...filter, search: value })
        }
      />
      <select
        aria-label={w.status}
        value={statusOf(kind, filter)}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filter, status: value })
        }
      >
        <option value="">{w.any}</option>
        {STATUSES[kind].map((one) => (
          <option key={one} value={one}>
            {named(c.status, one)}
          </option>
        ))}
      </select>
      <select
        aria-label={w.since}
        value={filter.age}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filter, age: value })
        }
      >
        {AGES.map((one) => (
          <option key={one} value={one}>
            {w.ages[one]}
          </option>
        ))}
      </select>
      {filter.age === 'days' &&
        (['from', 'to'] as const).map((end) => (
          <label key={end} class="row day">
            <span class="tiny">{w[end]}</span>
            <input
              type="date"
              max={LAST_DAY}
              value={filter[end]}
              onInput={({ currentTarget: { value } }) =>
                onChange({ ...filter, [end]: value })
              }
            />
          </label>
        ))}
    </div>
  );
}
