import { useState } from 'preact/hooks';
import { api, read, request, type Invocation } from '../api/client';
import { ApiError } from '../api/problem';
import { startResearch } from '../ask/submit';
import { common } from '../i18n/common.words';
import { clock, money } from '../i18n/format';
import { goTo, hrefOf } from '../router';
import { CopyButton } from '../ui/copy-button';
import { DeleteButton } from '../ui/delete-button';
import { ErrorNote } from '../ui/error-note';
import type { ReportDocument } from '../ui/report.types';
import { StatusPill } from '../ui/status-pill';
import { useAction, useLoaded } from '../ui/use-call';
import { ContinueDialog } from './continue-dialog';
import { DownloadMenu } from './download-menu';
import { readWords } from './read.words';
import { ReportView } from './report-view';
import { type Standing, standingsIn } from './standing';

interface Loaded {
  record: Invocation;
  /** Undefined while the run goes on, and where its report is too large to be laid out. */
  report?: ReportDocument;
}

/** The report of a run that has ended. */
export function Read({ id = '' }: { id?: string }) {
  const w = readWords();
  const { data, error, reload } = useLoaded(() => load(id), [id]);
  if (!data)
    return (
      <main class="narrow">
        {error === undefined ? (
          <p class="muted">{common().loading}</p>
        ) : (
          <ErrorNote error={error} onRetry={reload} />
        )}
      </main>
    );
  const { record, report } = data;
  return (
    <main class="two read">
      <div class="head">
        <h1>{report?.title || record.question || w.untitled}</h1>
        {report && report.title !== record.question && (
          <p class="muted no-print">{record.question}</p>
        )}
        <Facts record={record} report={report} />
        {record.status === 'incomplete' && <p class="note">{w.incomplete}</p>}
        {record.completed_at === null ? (
          <p>
            {w.waiting} <a href={hrefOf('watch', id)}>{w.watch}</a>
          </p>
        ) : (
          <Tools record={record} />
        )}
      </div>
      {report ? (
        <ReportView report={report} />
      ) : (
        record.output_text !== null && (
          <article class="report">
            <p class="note">{w.plainText}</p>
            <pre class="text">{record.output_text}</pre>
          </article>
        )
      )}
      {record.completed_at !== null && <FollowUp record={record} />}
    </main>
  );
}

async function load(id: string): Promise<Loaded> {
  const path = { params: { path: { id } } };
  const record = (await read(
    api.GET('/api/v1/tool-invocations/{id}', path),
  )) as Invocation;
  if (record.completed_at === null) return { record };
  try {
    const reply = await request(
      `api/v1/tool-invocations/${encodeURIComponent(id)}/report?format=json`,
    );
    return { record, report: (await reply.json()) as ReportDocument };
  } catch (error) {
    const isTooLarge =
      error instanceof ApiError && error.code === 'report_too_large';
    if (isTooLarge) return { record };
    throw error;
  }
}

function Facts({
  record,
  report,
}: {
  record: Invocation;
  report: ReportDocument | undefined;
}) {
  const w = readWords();
  const { cost, started_at, completed_at, limits_reached } = record;
  const standings = Object.entries(standingsIn(report?.verdicts ?? {}));
  const checked = standings.flatMap(([standing, count]) =>
    count > 0 ? w.standing[standing as Standing](count) : [],
  );
  const verifier = report?.verifier ?? null;
  const isOwn = verifier !== null && verifier === record.model;
  const seconds =
    started_at === null || completed_at === null
      ? null
      : (Date.parse(completed_at) - Date.parse(started_at)) / 1000;
  const sources = new Set(report?.citations.map(({ url }) => url)).size;
  return (
    <div class="pills">
      <StatusPill status={record.status} />
      {report && (
        <span class="pill num">
          {w.cited(sources, report.citations.length)}
        </span>
      )}
      {checked.length > 0 && (
        <span class="pill num">
          {checked.join(' · ')}
          {isOwn && ` · ${w.ownVerifier}`}
        </span>
      )}
      {(cost || seconds !== null) && (
        <span class="pill num">
          {[cost && money(cost.spent), seconds !== null && clock(seconds)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      )}
      {record.model && <span class="pill">{record.model}</span>}
      {(limits_reached ?? []).length > 0 && (
        <span class="pill">{w.limits(limits_reached!.join(', '))}</span>
      )}
    </div>
  );
}

function Tools({ record }: { record: Invocation }) {
  const w = readWords();
  const id = record.invocation_id;
  const [continues, setContinues] = useState(false);
  const canContinue =
    record.engine === 'agent' &&
    (record.status === 'incomplete' ||
      (record.limits_reached ?? []).length > 0);
  return (
    <div class="row tools no-print">
      <DownloadMenu id={id} />
      <CopyButton label={w.copy} text={() => record.output_text ?? ''} />
      <button type="button" onClick={() => window.print()}>
        {w.print}
      </button>
      {canContinue && (
        <button type="button" onClick={() => setContinues(true)}>
          {w.more}
        </button>
      )}
      <DeleteButton
        title={w.deleteTitle}
        about={w.deleteAbout}
        onDelete={async () => {
          const path = { params: { path: { id } } };
          await read(api.DELETE('/api/v1/tool-invocations/{id}', path));
          goTo('history');
        }}
      />
      {continues && (
        <ContinueDialog id={id} onClose={() => setContinues(false)} />
      )}
    </div>
  );
}

/** Research that sees this report and its sources. */
function FollowUp({ record }: { record: Invocation }) {
  const w = readWords();
  const [question, setQuestion] = useState('');
  const { run, busy, error } = useAction(async () => {
    const next = await startResearch({
      research_question: question.trim(),
      previous_invocation_id: record.invocation_id,
      ...(record.engine === 'agent' && { engine: 'agent' as const }),
    });
    goTo('watch', next.invocation_id);
  });
  return (
    <form
      class="follow no-print"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <ErrorNote error={error} />
      <div class="row">
        <input
          aria-label={w.follow}
          placeholder={w.follow}
          required
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
        />
        <button class="primary" disabled={busy || question.trim() === ''}>
          {w.ask}
        </button>
      </div>
    </form>
  );
}
