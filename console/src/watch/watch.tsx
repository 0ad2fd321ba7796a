import { named, nameOf } from '../i18n/language';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api, read } from '../api/client';
import { common } from '../i18n/common.words';
import { clock, count, money } from '../i18n/format';
import { hrefOf, replaceWith } from '../router';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { ErrorNote } from '../ui/error-note';
import { Meter } from '../ui/meter';
import { StatusPill } from '../ui/status-pill';
import { useAction } from '../ui/use-call';
import { useSeconds } from '../ui/use-seconds';
import { Failure } from './failure';
import { PlanReview } from './plan-review';
import { isFinal, RunFollower } from './run.follower';
import { StepList } from './step-list';
import { stepsOf } from './steps';
import { watchWords } from './watch.words';

/** A run while it goes on. */
export function Watch({ id = '' }: { id?: string }) {
  const w = watchWords();
  const run = useMemo(() => new RunFollower(id), [id]);
  useEffect(() => () => run.close(), [run]);
  const record = run.record.value;
  const hasReport =
    record?.status === 'completed' || record?.status === 'incomplete';
  useEffect(() => {
    // The way back leads to where the run was begun, not to its empty time line.
    if (hasReport) replaceWith('read', id);
  }, [hasReport]);
  if (!record)
    return (
      <main class="narrow">
        {run.error.value === undefined ? (
          <p class="muted">{common().loading}</p>
        ) : (
          <ErrorNote
            error={run.error.value}
            onRetry={() => void run.refresh()}
          />
        )}
      </main>
    );
  const directions = record.plan?.directions ?? [];
  const isOver = isFinal(record.status);
  const steps = stepsOf(run.activities.value, directions, isOver);
  const notes = run.activities.value.reduce(
    (sum, one) => sum + (one.notes ?? 0),
    0,
  );
  return (
    <main class="two watch">
      <div>
        <h1>{record.question ?? record.tool_name}</h1>
        <Facts run={run} notes={notes} />
        <ErrorNote error={run.error.value} />
        {isOver && !hasReport && <Failure record={record} />}
        {record.required_action ? (
          <PlanReview
            id={id}
            plan={record.required_action.plan}
            onDecided={() => void run.refresh()}
          />
        ) : (
          <StepList steps={steps} />
        )}
      </div>
      <aside>
        <Limits run={run} />
        <Sections text={run.text.value} />
        {isOver ? (
          hasReport && (
            <a class="button primary" href={hrefOf('read', id)}>
              {w.readIt}
            </a>
          )
        ) : (
          <div class="row">
            <CopyButton label={w.link} text={() => location.href} />
            <CancelButton id={id} onCancelled={() => void run.refresh()} />
          </div>
        )}
      </aside>
    </main>
  );
}

function Facts({ run, notes }: { run: RunFollower; notes: number }) {
  const w = watchWords();
  const c = common();
  const record = run.record.value!;
  const isOver = isFinal(record.status);
  const last = run.activities.value.at(-1);
  const cut = nameOf(w.connection, run.connection.value);
  return (
    <div class="pills" aria-live="polite">
      <StatusPill status={record.status} />
      {record.queue_position !== null && (
        <span class="pill num">{w.queue(record.queue_position)}</span>
      )}
      {!isOver && last?.kind === 'waiting' && (
        <span class="pill">{w.waitingSince}</span>
      )}
      {notes > 0 && <span class="pill num">{w.notes(notes)}</span>}
      {record.engine && (
        <span class="pill">{named(c.engine, record.engine)}</span>
      )}
      {!isOver && cut && <span class="pill">{cut}</span>}
    </div>
  );
}

function Limits({ run }: { run: RunFollower }) {
  const w = watchWords();
  const c = common();
  const record = run.record.value!;
  const isOver = isFinal(record.status);
  const now = useSeconds(!isOver);
  const { progress, cost, started_at, completed_at, limits } = record;
  const until = completed_at === null ? now : Date.parse(completed_at);
  const seconds =
    started_at === null ? 0 : (until - Date.parse(started_at)) / 1000;
  return (
    <section class="card">
      <h2>{w.limits}</h2>
      {cost && (
        <Meter
          label={c.cost}
          used={cost.spent}
          limit={limits?.max_cost_usd}
          format={money}
        />
      )}
      <Meter
        label={c.time}
        used={seconds}
        limit={limits?.max_seconds}
        format={clock}
      />
      <Meter
        label={c.searches}
        used={progress?.searches ?? 0}
        limit={limits?.max_searches}
        format={count}
      />
      <Meter
        label={c.pages}
        used={progress?.pages_opened ?? 0}
        limit={limits?.max_pages}
        format={count}
      />
      {!isOver && <p class="muted tiny">{w.leave}</p>}
    </section>
  );
}

/** The headings of what is written; the text itself is read when it is whole. */
function Sections({ text }: { text: string }) {
  if (text === '') return null;
  const titles = [...text.matchAll(/^#{1,3} +(.+)$/gm)].map(
    ([, title]) => title,
  );
  return (
    <section class="card">
      <h2>{watchWords().sections}</h2>
      <ol class="plain tiny">
        {titles.map((title, at) => (
          <li key={at}>{title}</li>
        ))}
      </ol>
      {titles.length === 0 && <p class="tiny draft">{text.slice(0, 280)}</p>}
    </section>
  );
}

function CancelButton({
  id,
  onCancelled,
}: {
  id: string;
  onCancelled: () => void;
}) {
  const w = watchWords();
  const [asks, setAsks] = useState(false);
  const { run, busy, error } = useAction(async () => {
    const path = { params: { path: { id } } };
    await read(api.POST('/api/v1/tool-invocations/{id}/cancel', path));
    setAsks(false);
    onCancelled();
  });
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsks(true)}>
        {common().cancel}
      </button>
      {asks && (
        <Dialog title={w.cancelTitle} onClose={() => setAsks(false)}>
          <p>{w.cancelAbout}</p>
          <ErrorNote error={error} />
          <div class="row">
            <button
              type="button"
              class="danger"
              disabled={busy}
              onClick={() => run()}
            >
              {w.cancelIt}
            </button>
            <button type="button" onClick={() => setAsks(false)}>
              {w.keep}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
