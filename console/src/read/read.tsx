import {
  api,
  read,
  request,
  type Invocation,
  type Schemas,
} from '../api/client';
import { ApiError } from '../api/problem';
import { common } from '../i18n/common.words';
import { named } from '../i18n/language';
import { hrefOf } from '../router';
import { MissingRun } from '../ui/missing-run';
import type { ReportDocument } from '../ui/report.types';
import { shortText } from '../ui/short-text';
import { useLoaded } from '../ui/use-call';
import { useTitle } from '../ui/use-title';
import { WholeQuestion } from '../ui/whole-question';
import { Contents } from './contents';
import { Facts } from './facts';
import { FollowUp } from './follow-up';
import { Keeping } from './keeping';
import { NotFound } from './not-found';
import { readWords } from './read.words';
import { ReportView } from './report-view';
import { Thread } from './thread';
import { Tools } from './tools';

type Evidence = Schemas['EvidenceDto'];

interface Loaded {
  record: Invocation;
  /** Undefined while the run goes on, and where its report is too large to be laid out. */
  report?: ReportDocument;
  /** Of a run of the agent. */
  evidence?: Evidence;
}

/** The report of a run that has ended. */
export function Read({ id = '' }: { id?: string }) {
  const w = readWords();
  const { data, error, reload } = useLoaded(() => load(id), [id]);
  const title = shortText(
    data?.report?.title || data?.record.question || w.untitled,
  );
  useTitle(data && `${named(common().status, data.record.status)}: ${title}`);
  if (!data)
    return (
      <main class="narrow">
        {error === undefined ? (
          <p class="muted">{common().loading}</p>
        ) : (
          <MissingRun error={error} onRetry={reload} />
        )}
      </main>
    );
  const { record, report, evidence } = data;
  return (
    <main class="two read">
      <div class="head">
        <h1>{title}</h1>
        <WholeQuestion question={record.question} title={title} />
        <Facts record={record} report={report} evidence={evidence} />
        {record.status === 'incomplete' && <p class="note">{w.incomplete}</p>}
        {record.completed_at === null ? (
          <p>
            {w.waiting} <a href={hrefOf('watch', id)}>{w.watch}</a>
          </p>
        ) : (
          <>
            <Tools record={record} report={report} />
            <Keeping key={id} record={record} />
          </>
        )}
        {report && <Contents at={['read', id]} blocks={report.blocks} />}
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
      {record.completed_at !== null && (
        <div class="after">
          {evidence && <NotFound evidence={evidence} />}
          <Thread record={record} />
          <FollowUp record={record} depth={evidence?.brief?.depth} />
        </div>
      )}
    </main>
  );
}

async function load(id: string): Promise<Loaded> {
  const path = { params: { path: { id } } };
  const record = (await read(
    api.GET('/api/v1/tool-invocations/{id}', path),
  )) as Invocation;
  if (record.completed_at === null) return { record };
  const [report, evidence] = await Promise.all([
    reportOf(id),
    record.engine === 'agent' ? evidenceOf(id) : undefined,
  ]);
  return { record, report, evidence };
}

async function reportOf(id: string): Promise<ReportDocument | undefined> {
  try {
    const reply = await request(
      `api/v1/tool-invocations/${encodeURIComponent(id)}/report?format=json`,
    );
    return (await reply.json()) as ReportDocument;
  } catch (error) {
    const isTooLarge =
      error instanceof ApiError && error.code === 'report_too_large';
    if (isTooLarge) return undefined;
    throw error;
  }
}

/** Without it the report stands alone. */
async function evidenceOf(id: string): Promise<Evidence | undefined> {
  const path = { params: { path: { id } } };
  try {
    return await read(api.GET('/api/v1/tool-invocations/{id}/evidence', path));
  } catch {
    return undefined;
  }
}
