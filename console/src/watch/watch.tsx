import { named, nameOf } from '../i18n/language';
import { useEffect, useMemo } from 'preact/hooks';
import { api, read } from '../api/client';
import { common } from '../i18n/common.words';
import { hrefOf, replaceWith } from '../router';
import { AskedButton } from '../ui/asked-button';
import { CopyButton } from '../ui/copy-button';
import { ErrorNote } from '../ui/error-note';
import { MissingRun } from '../ui/missing-run';
import { StatusPill } from '../ui/status-pill';
import { shortText } from '../ui/short-text';
import { useTitle } from '../ui/use-title';
import { WholeQuestion } from '../ui/whole-question';
import { Failure } from './failure';
import { Limits } from './limits';
import { NotifyButton, useNotice } from './notice';
import { PlanReview } from './plan-review';
import { isFinal, RunFollower } from './run.follower';
import { StepList } from './step-list';
import { type Step, stepsOf } from './steps';
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
  const directions = record?.plan?.directions ?? [];
  const isOver = isFinal(record?.status ?? '');
  const steps = stepsOf(run.activities.value, directions, isOver);
  const question = shortText(record?.question ?? record?.tool_name ?? '');
  useTitle(record && titleOf(record.status, steps, question));
  useNotice(record?.status, isOver, question);
  if (!record)
    return (
      <main class="narrow">
        {run.error.value === undefined ? (
          <p class="muted">{common().loading}</p>
        ) : (
          <MissingRun
            error={run.error.value}
            onRetry={() => void run.refresh()}
          />
        )}
      </main>
    );
  const notes = run.activities.value.reduce(
    (sum, one) => sum + (one.notes ?? 0),
    0,
  );
  return (
    <main class="two watch">
      <div>
        <h1>{question}</h1>
        <WholeQuestion question={record.question} title={question} />
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
            <CopyButton label={common().copyLink} text={() => location.href} />
            <NotifyButton />
            <AskedButton
              label={common().cancel}
              title={w.cancelTitle}
              about={w.cancelAbout}
              confirm={w.cancelIt}
              decline={w.keep}
              onConfirm={async () => {
                const path = { params: { path: { id } } };
                await read(
                  api.POST('/api/v1/tool-invocations/{id}/cancel', path),
                );
                void run.refresh();
              }}
            />
          </div>
        )}
      </aside>
    </main>
  );
}

/** `2/6 Working: …`: how far it is, where the tab is all that is seen of it. */
function titleOf(
  status: string,
  steps: readonly Step[],
  question: string,
): string {
  const now = steps.findIndex(({ state }) => state === 'now');
  const place = status === 'running' && now >= 0;
  const how = named(common().status, status);
  return `${place ? `${now + 1}/${steps.length} ` : ''}${how}: ${question}`;
}

function Facts({ run, notes }: { run: RunFollower; notes: number }) {
  const w = watchWords();
  const c = common();
  const record = run.record.value!;
  const isOver = isFinal(record.status);
  const cut = nameOf(w.connection, run.connection.value);
  return (
    <div class="pills" aria-live="polite">
      <StatusPill status={record.status} />
      {record.queue_position !== null && (
        <span class="pill num">{w.queue(record.queue_position)}</span>
      )}
      {record.waiting_for !== null && !record.required_action && (
        <span class="pill">{named(w.waits, record.waiting_for)}</span>
      )}
      {notes > 0 && <span class="pill num">{w.notes(notes)}</span>}
      {record.engine && (
        <span class="pill">{named(c.engine, record.engine)}</span>
      )}
      {!isOver && cut && <span class="pill">{cut}</span>}
    </div>
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
