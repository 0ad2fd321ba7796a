import { useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { common } from '../i18n/common.words';
import { ago, count, dateTime, money } from '../i18n/format';
import { named } from '../i18n/language';
import { hrefOf, path } from '../router';
import { StatusPill } from '../ui/status-pill';
import { useLoaded } from '../ui/use-call';
import { useSettled } from '../ui/use-settled';
import { AdminError } from './admin-error';
import { operateWords } from './operate.words';
import { type RunFilter, RunFilters, UNFINISHED } from './run-filters';
import { RunPage } from './run-page';

type Run = Schemas['AdminRunDto'];
/** From the last key to the search. */
const TYPING_MS = 300;

/** What goes on and what failed, of all keys: never a question or a report. */
export function Runs() {
  const [, , id] = path.value;
  return id === undefined ? <RunList /> : <RunPage id={id} />;
}

function RunList() {
  const [filter, setFilter] = useState(UNFINISHED);
  const settled = useSettled(filter, TYPING_MS);
  return (
    <>
      <Waiting />
      <RunFilters filter={filter} onChange={setFilter} />
      <Pages key={JSON.stringify(settled)} filter={settled} />
    </>
  );
}

function Pages({ filter }: { filter: RunFilter }) {
  const w = operateWords();
  const [cursors, setCursors] = useState<(string | null)[]>([null]);
  const cursor = cursors.at(-1)!;
  const { data, error, reload } = useLoaded(
    () => load(filter, cursor),
    [cursor],
  );
  if (!data && error !== undefined)
    return <AdminError error={error} onRetry={reload} />;
  const next = data?.next_cursor;
  return (
    <>
      {!data ? (
        <p class="muted">{common().loading}</p>
      ) : data.data.length > 0 ? (
        <RunTable runs={data.data} />
      ) : (
        <p class="muted">{w.noRuns}</p>
      )}
      <div class="row">
        <button type="button" onClick={reload}>
          {w.refresh}
        </button>
        {cursors.length > 1 && (
          <button
            type="button"
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            {w.previous}
          </button>
        )}
        {next && (
          <button type="button" onClick={() => setCursors([...cursors, next])}>
            {w.next}
          </button>
        )}
      </div>
    </>
  );
}

async function load(
  { status, engine, key, age, order }: RunFilter,
  cursor: string | null,
) {
  const query = {
    limit: 50,
    order,
    ...(status !== '' && { status: status as 'unfinished' }),
    ...(engine !== '' && { engine }),
    ...(key.trim() !== '' && { key: key.trim() }),
    ...(age !== '' && { min_age_seconds: Number(age) }),
    ...(cursor !== null && { cursor }),
  };
  return (await read(api.GET('/admin/api/runs', { params: { query } })))!;
}

/** The queue of each key. */
function Waiting() {
  const w = operateWords();
  const c = common();
  const { data } = useLoaded(
    () => read(api.GET('/admin/api/runs/unfinished')),
    [],
  );
  if (!data || data.data.length === 0) return null;
  return (
    <section class="card">
      <h2>{w.perKey}</h2>
      <ul class="checks">
        {data.data.map(({ key, queued, running, requires_action }) => (
          <li key={key ?? ''}>
            <strong>{key ?? w.anonymous}</strong>
            <span class="muted tiny num">
              {c.status.queued} {count(queued)} · {c.status.running}{' '}
              {count(running)} · {c.status.requires_action}{' '}
              {count(requires_action)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RunTable({ runs }: { runs: readonly Run[] }) {
  const w = operateWords();
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={w.runs}>
      <table>
        <thead>
          <tr>
            <th scope="col">{w.status}</th>
            <th scope="col">{w.key}</th>
            <th scope="col">{w.tool}</th>
            <th scope="col">{w.model}</th>
            <th scope="col">{w.code}</th>
            <th scope="col" class="right">
              {common().cost}
            </th>
            <th scope="col">{w.begun}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((one) => (
            <tr key={one.id}>
              <td>
                <a
                  href={hrefOf('operate', 'runs', one.id)}
                  aria-label={`${named(common().status, one.status)}, ${one.id}`}
                >
                  <StatusPill status={one.status} />
                </a>
                {one.queue_position !== null && (
                  <span class="muted tiny"> #{one.queue_position}</span>
                )}
              </td>
              <td>{one.key ?? w.anonymous}</td>
              <td>
                {one.kind === 'chat' ? w.kind.chat : one.tool_name}
                <span class="muted tiny">
                  {' '}
                  {one.engine && named(common().engine, one.engine)}
                </span>
              </td>
              <td>{one.model ?? '–'}</td>
              <td>{one.error_code ? <code>{one.error_code}</code> : '–'}</td>
              <td class="right">
                {one.spent_usd === null ? '–' : money(one.spent_usd)}
              </td>
              <td>
                <time
                  dateTime={one.created_at}
                  title={dateTime(one.created_at)}
                >
                  {ago(one.created_at)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
