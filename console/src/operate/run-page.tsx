import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { common } from '../i18n/common.words';
import { errorWords } from '../i18n/error.words';
import { clock, dateTime, money } from '../i18n/format';
import { named } from '../i18n/language';
import { hrefOf } from '../router';
import { AskedButton } from '../ui/asked-button';
import { StatusPill } from '../ui/status-pill';
import { useLoaded } from '../ui/use-call';
import { watchWords } from '../watch/watch.words';
import { AdminError } from './admin-error';
import { runWords } from './run.words';

const ENDED = ['completed', 'incomplete', 'failed', 'cancelled'];

type Detail = Schemas['AdminRunDetailDto'];

/** One run of any key, without its contents: what it does, who carries it, and its end. */
export function RunPage({ id }: { id: string }) {
  const w = runWords();
  const of = { params: { path: { run_id: id } } };
  const { data, error, reload } = useLoaded(
    async () => (await read(api.GET('/admin/api/runs/{run_id}', of)))!,
    [id],
  );
  if (!data)
    return error === undefined ? (
      <p class="muted">{common().loading}</p>
    ) : (
      <>
        <p class="tiny">
          <a href={hrefOf('operate', 'runs')}>{w.all}</a>
        </p>
        <AdminError error={error} onRetry={reload} />
      </>
    );
  return (
    <section class="card" aria-labelledby="run">
      <p class="tiny">
        <a href={hrefOf('operate', 'runs')}>{w.all}</a>
      </p>
      <h2 id="run">
        <code>{data.id}</code>
      </h2>
      <div class="pills">
        <StatusPill status={data.status} />
        {data.cancel_requested && <span class="pill">{w.ending}</span>}
      </div>
      <dl class="facts">
        {factsOf(data).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <JobLog lines={data.log} />
      <div class="row">
        <button type="button" onClick={reload}>
          {w.refresh}
        </button>
        {!ENDED.includes(data.status) && <EndButton id={id} onEnded={reload} />}
      </div>
    </section>
  );
}

/** What is known, by its name; what is not, is left out. */
function factsOf(run: Detail): [string, ComponentChildren][] {
  const w = runWords();
  const c = common();
  const stages = { ...watchWords().kind, ...w.stages };
  const time = (iso: string | null) => iso && dateTime(iso);
  const hasEnded = ENDED.includes(run.status);
  // Whoever ends a run is not the caller whom the words of this code are for.
  const error = run.status === 'cancelled' ? null : run.error_code;
  const all: [string, ComponentChildren][] = [
    [w.key, run.key ?? w.anonymous],
    [w.tool, run.kind === 'chat' ? w.chat : run.tool_name],
    [w.engine, run.engine && named(c.engine, run.engine)],
    [w.model, run.model],
    [w.stage, !hasEnded && run.stage && named(stages, run.stage)],
    [w.lastEvent, time(run.last_event_at)],
    [w.place, run.queue_position],
    [w.created, time(run.created_at)],
    [w.due, time(run.due_at)],
    [w.started, time(run.started_at)],
    [w.ended, time(run.completed_at)],
    [w.age, clock(run.age_seconds)],
    [w.deadline, time(run.deadline_at)],
    [w.worker, run.worker && <code>{run.worker}</code>],
    [w.lease, time(run.lease_expires_at)],
    [w.attempts, run.attempts],
    [w.takeovers, run.takeovers],
    [w.lost, run.workers_lost > 0 && run.workers_lost],
    [w.purchases, run.purchases],
    [w.steps, run.steps && w.stepCounts(run.steps)],
    [
      w.response,
      run.upstream_response_id && <code>{run.upstream_response_id}</code>,
    ],
    [c.cost, run.spent_usd === null ? null : money(run.spent_usd)],
    [w.reasonGiven, run.cancel_reason],
    [w.error, error && named(errorWords(), error)],
  ];
  return all.filter(
    ([, value]) => value !== null && value !== false && value !== '',
  );
}

/** What its workers did with it. */
function JobLog({ lines }: { lines: Detail['log'] }) {
  const w = runWords();
  return (
    <>
      <h3>{w.log}</h3>
      {lines.length === 0 ? (
        <p class="muted">{w.noLog}</p>
      ) : (
        <pre class="text tiny">
          {lines.map(({ at, text }) => `${at} ${text}`).join('\n')}
        </pre>
      )}
    </>
  );
}

function EndButton({ id, onEnded }: { id: string; onEnded: () => void }) {
  const w = runWords();
  const [reason, setReason] = useState('');
  return (
    <AskedButton
      label={w.end}
      title={w.endTitle}
      about={w.endAbout}
      confirm={w.endIt}
      decline={common().close}
      onConfirm={async () => {
        const of = { params: { path: { run_id: id } } };
        const given = reason.trim();
        const body = given ? { reason: given } : {};
        await read(
          api.POST('/admin/api/runs/{run_id}/cancel', { ...of, body }),
        );
        onEnded();
      }}
    >
      <label class="field">
        <span>{w.reason}</span>
        <input
          value={reason}
          maxLength={500}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
    </AskedButton>
  );
}
