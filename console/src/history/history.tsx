import { useState } from 'preact/hooks';
import { common } from '../i18n/common.words';
import { ago, dateTime, money } from '../i18n/format';
import { hrefOf } from '../router';
import { AskedButton } from '../ui/asked-button';
import { ErrorNote } from '../ui/error-note';
import { StatusPill } from '../ui/status-pill';
import { useLoaded } from '../ui/use-call';
import { useKept } from '../ui/use-kept';
import { useSettled } from '../ui/use-settled';
import {
  ALL,
  type Entry,
  type Filter,
  type Kind,
  pageOf,
  removeEntry,
  statusOf,
} from './entries';
import { Filters } from './filters';
import { historyWords } from './history.words';

/** From the last key to the search. */
const TYPING_MS = 300;

export function History({ id }: { id?: string }) {
  const w = historyWords();
  const kind = id === 'chats' ? 'chats' : 'research';
  const [filter, setFilter] = useKept('history', ALL);
  const settled = useSettled(filter, TYPING_MS);
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
      <Filters
        kind={kind}
        filter={filter}
        onChange={(next) => setFilter(() => next)}
      />
      <Entries
        key={kind + JSON.stringify(settled)}
        kind={kind}
        filter={settled}
        onClear={() => setFilter(() => ALL)}
      />
      <p class="muted tiny">{w.kept}</p>
    </main>
  );
}

function Entries({
  kind,
  filter,
  onClear,
}: {
  kind: Kind;
  filter: Filter;
  onClear: () => void;
}) {
  const w = historyWords();
  const c = common();
  const [cursors, setCursors] = useState<(string | null)[]>([null]);
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const last = cursors.at(-1)!;
  const isNarrow = statusOf(kind, filter) + filter.search + filter.age !== '';
  const [pages, setPages] = useState<Entry[]>([]);
  const { data, error, reload } = useLoaded(
    () => pageOf(kind, filter, last),
    [last],
  );
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
          {isNarrow ? (
            <button type="button" onClick={onClear}>
              {w.showAll}
            </button>
          ) : (
            <a href={hrefOf(kind === 'chats' ? 'chat' : 'ask')}>{w.askFirst}</a>
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
