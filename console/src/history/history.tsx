import { named } from '../i18n/language';
import { useState } from 'preact/hooks';
import { common } from '../i18n/common.words';
import { ago, dateTime, money } from '../i18n/format';
import { hrefOf } from '../router';
import { AskedButton } from '../ui/asked-button';
import { ErrorNote } from '../ui/error-note';
import { StatusPill } from '../ui/status-pill';
import { useLoaded } from '../ui/use-call';
import { useSettled } from '../ui/use-settled';
import { type Entry, type Filter, pageOf, removeEntry } from './entries';
import { historyWords } from './history.words';

const STATUSES = {
  research: [
    'queued',
    'running',
    'requires_action',
    'completed',
    'incomplete',
    'failed',
    'cancelled',
  ],
  chats: [
    'queued',
    'running',
    'requires_action',
    'completed',
    'failed',
    'cancelled',
  ],
};
/** Days; empty: all. */
const AGES = ['', '1', '7', '30'] as const;
/** From the last key to the search. */
const TYPING_MS = 300;

export function History({ id }: { id?: string }) {
  const w = historyWords();
  const c = common();
  const kind = id === 'chats' ? 'chats' : 'research';
  const [status, setStatus] = useState('');
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), TYPING_MS);
  const [age, setAge] = useState('');
  const filter: Filter = { kind, status, search, age };
  return (
    <main class="history">
      <h1>{w.title}</h1>
      <nav class="tabs" aria-label={w.kinds}>
        {(['research', 'chats'] as const).map((one) => (
          <a
            key={one}
            href={hrefOf('history', one)}
            aria-current={one === kind ? 'page' : undefined}
          >
            {w[one]}
          </a>
        ))}
      </nav>
      <div class="row filters">
        <input
          type="search"
          aria-label={w.search}
          placeholder={w.search}
          maxLength={200}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <select
          aria-label={w.status}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value)}
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
          value={age}
          onChange={(event) => setAge(event.currentTarget.value)}
        >
          {AGES.map((one) => (
            <option key={one} value={one}>
              {w.ages[one]}
            </option>
          ))}
        </select>
      </div>
      <Entries key={JSON.stringify(filter)} filter={filter} />
      <p class="muted tiny">{w.kept}</p>
    </main>
  );
}

function Entries({ filter }: { filter: Filter }) {
  const w = historyWords();
  const c = common();
  const [cursors, setCursors] = useState<(string | null)[]>([null]);
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const last = cursors.at(-1)!;
  const isNarrow = filter.status + filter.search + filter.age !== '';
  const [pages, setPages] = useState<Entry[]>([]);
  const { data, error, reload } = useLoaded(() => pageOf(filter, last), [last]);
  const entries = [...pages, ...(data?.entries ?? [])].filter(
    (one) => !removed.has(one.id),
  );
  if (!data && entries.length === 0 && error === undefined)
    return <p class="muted">{c.loading}</p>;
  return (
    <>
      <ErrorNote error={error} onRetry={reload} />
      {data && entries.length === 0 && data.next === null && (
        <p>
          {isNarrow ? w.none : w.empty}{' '}
          {!isNarrow && (
            <a href={hrefOf(filter.kind === 'chats' ? 'chat' : 'ask')}>
              {w.askFirst}
            </a>
          )}
        </p>
      )}
      <ul class="entries">
        {entries.map((entry) => (
          <Row
            key={entry.id}
            entry={entry}
            onRemoved={() => setRemoved(new Set([...removed, entry.id]))}
          />
        ))}
      </ul>
      {data?.next && (
        <button
          type="button"
          onClick={() => {
            setPages([...pages, ...data.entries]);
            setCursors([...cursors, data.next]);
          }}
        >
          {c.more}
        </button>
      )}
    </>
  );
}

function Row({ entry, onRemoved }: { entry: Entry; onRemoved: () => void }) {
  const w = historyWords();
  const { id, title, status, spent, createdAt, route } = entry;
  return (
    <li>
      <a href={hrefOf(route, id)}>{title ?? w.untitled}</a>
      <div class="row tiny">
        <StatusPill status={status} />
        <time class="muted" dateTime={createdAt} title={dateTime(createdAt)}>
          {ago(createdAt)}
        </time>
        {spent !== null && <span class="muted num">{money(spent)}</span>}
        <span class="spacer" />
        <AskedButton
          label={common().delete}
          of={title ?? w.untitled}
          title={w.deleteTitle}
          about={w.deleteAbout}
          onConfirm={async () => {
            await removeEntry(entry);
            onRemoved();
          }}
        />
      </div>
    </li>
  );
}
