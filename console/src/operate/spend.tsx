import { named } from '../i18n/language';
import { useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { common } from '../i18n/common.words';
import { compact, count, money } from '../i18n/format';
import { Meter } from '../ui/meter';
import { useLoaded } from '../ui/use-call';
import { AdminError } from './admin-error';
import { DayChart } from './day-chart';
import { operateWords } from './operate.words';

type Usage = Schemas['UsageDto'];
type KeyUsage = Schemas['KeyUsageDto'];

/** Each needs a request of its own. */
const MAX_KEYS = 50;

/** What was spent, by key, by day and by model. */
export function Spend() {
  const w = operateWords();
  const [chosen, setChosen] = useState('');
  const { data, error, reload } = useLoaded(load, []);
  if (!data)
    return error === undefined ? (
      <p class="muted">{common().loading}</p>
    ) : (
      <AdminError error={error} onRetry={reload} />
    );
  const usages = data
    .filter(({ key }) => chosen === '' || key.key_id === chosen)
    .map(({ usage }) => usage);
  return (
    <>
      <div class="charts">
        {data.map(({ key }) => (
          <KeyBudget key={key.key_id} usage={key} />
        ))}
      </div>
      <label class="field">
        <span>{w.key}</span>
        <select
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          <option value="">{w.allKeys}</option>
          {data.map(({ key }) => (
            <option key={key.key_id} value={key.key_id}>
              {key.name}
            </option>
          ))}
        </select>
      </label>
      <section class="card">
        <h2>{w.days}</h2>
        <DayChart days={byDay(usages)} />
      </section>
      <ModelTable usages={usages} />
    </>
  );
}

async function load(): Promise<{ key: KeyUsage; usage: Usage }[]> {
  const { data: keys } = (await read(api.GET('/admin/api/usage')))!;
  return Promise.all(
    keys.slice(0, MAX_KEYS).map(async (key) => {
      const path = { key_id: key.key_id };
      const usage = await read(
        api.GET('/admin/api/keys/{key_id}/usage', { params: { path } }),
      );
      return { key, usage: usage! };
    }),
  );
}

function KeyBudget({ usage: { name, budget } }: { usage: KeyUsage }) {
  const w = operateWords();
  return (
    <section class="card">
      <h2>{name}</h2>
      {(['day', 'month'] as const).map((period) => {
        const { spent_usd, limit_usd, reserved_usd } = budget[period];
        const label = period === 'day' ? w.today : w.month;
        return (
          <div key={period}>
            <Meter
              label={label}
              used={spent_usd}
              limit={limit_usd}
              format={money}
            />
            {reserved_usd > 0 && (
              <p class="muted tiny">{w.reserved(money(reserved_usd))}</p>
            )}
          </div>
        );
      })}
    </section>
  );
}

function byDay(usages: readonly Usage[]): { date: string; usd: number }[] {
  const days = new Map<string, number>();
  for (const { data } of usages)
    for (const { date, cost_usd } of data)
      days.set(date, (days.get(date) ?? 0) + cost_usd);
  return [...days]
    .map(([date, usd]) => ({ date, usd }))
    .sort((a, b) => a.date.localeCompare(b.date));
}

interface Line {
  kind: string;
  model: string;
  count: number;
  input: number;
  output: number;
  usd: number;
  unknown: number;
}

function byModel(usages: readonly Usage[]): Line[] {
  const lines = new Map<string, Line>();
  for (const one of usages.flatMap(({ data }) =>
    data.flatMap((d) => d.usage),
  )) {
    const key = `${one.kind}/${one.model}`;
    const line = lines.get(key) ?? {
      kind: one.kind,
      model: one.model,
      count: 0,
      input: 0,
      output: 0,
      usd: 0,
      unknown: 0,
    };
    line.count += one.count;
    line.input += one.input_tokens;
    line.output += one.output_tokens;
    line.usd += one.cost_usd;
    line.unknown += one.unknown_cost;
    lines.set(key, line);
  }
  return [...lines.values()].sort((a, b) => b.usd - a.usd);
}

function ModelTable({ usages }: { usages: readonly Usage[] }) {
  const w = operateWords();
  const lines = byModel(usages);
  if (lines.length === 0) return <p class="muted">{w.nothingSpent}</p>;
  const most = Math.max(...lines.map(({ usd }) => usd));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={w.perModel}>
      <table>
        <thead>
          <tr>
            <th scope="col">{w.model}</th>
            {/* Where the table scrolls, this is still in sight. */}
            <th scope="col" class="right">
              {common().cost}
            </th>
            <th scope="col" class="right">
              {w.runsCount}
            </th>
            <th scope="col" class="right">
              {w.input}
            </th>
            <th scope="col" class="right">
              {w.output}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.kind}/${line.model}`}>
              <td>
                {line.model || '–'}{' '}
                <span class="muted tiny">{named(w.kind, line.kind)}</span>
                {most > 0 && (
                  <progress
                    aria-label={`${common().cost}: ${line.model}`}
                    max={most}
                    value={line.usd}
                  />
                )}
              </td>
              <td class="right">
                {money(line.usd)}
                {line.unknown > 0 && (
                  <span class="muted tiny"> ({w.unknown(line.unknown)})</span>
                )}
              </td>
              <td class="right">{count(line.count)}</td>
              <td class="right">{compact(line.input)}</td>
              <td class="right">{compact(line.output)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
