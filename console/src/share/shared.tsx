import { parseReport } from '../../../src/report/parse/parse';
import { writeMarkdown } from '../../../src/report/writers/write-markdown';
import { send, type Schemas } from '../api/client';
import { ApiError, toApiError } from '../api/problem';
import { common } from '../i18n/common.words';
import { dateTime } from '../i18n/format';
import { Contents } from '../read/contents';
import { readWords } from '../read/read.words';
import { ReportView } from '../read/report-view';
import { hrefOf } from '../router';
import { CopyButton } from '../ui/copy-button';
import { ErrorNote } from '../ui/error-note';
import type { ReportDocument } from '../ui/report.types';
import { shortText } from '../ui/short-text';
import { StatusPill } from '../ui/status-pill';
import { useLoaded } from '../ui/use-call';
import { useTitle } from '../ui/use-title';
import { shareWords } from './share.words';

/** Characters: parsing more would hold up the page. */
const LONGEST = 200_000;

interface Loaded {
  shared: Schemas['SharedReportDto'];
  /** Undefined where the text is too large to be laid out. */
  report?: ReportDocument;
}

/** What a link opens for anyone who has it: the token in the address is all that is sent. */
export function Shared({ id: token = '' }: { id?: string }) {
  const w = shareWords();
  const r = readWords();
  const { data, error, reload } = useLoaded(() => load(token), [token]);
  const title = shortText(
    data?.report?.title || data?.shared.title || r.untitled,
  );
  useTitle(data || error ? title : undefined);
  if (!data)
    return (
      <main class="narrow">
        {error === undefined ? (
          <p class="muted">{common().loading}</p>
        ) : (
          <Closed error={error} onRetry={reload} />
        )}
      </main>
    );
  const { shared, report } = data;
  return (
    <main class="two read">
      <div class="head">
        <h1>{title}</h1>
        <div class="pills">
          <StatusPill status={shared.status} />
          {shared.completed_at !== null && (
            <span class="pill">{dateTime(shared.completed_at)}</span>
          )}
        </div>
        {shared.status === 'incomplete' && <p class="note">{r.incomplete}</p>}
        <div class="row tools no-print">
          <CopyButton
            label={r.copy}
            text={() => (report ? writeMarkdown(report) : shared.output_text)}
          />
          <button type="button" onClick={() => window.print()}>
            {r.print}
          </button>
        </div>
        <p class="muted tiny no-print">
          {w.sharedUntil(dateTime(shared.expires_at))}
        </p>
        {report && <Contents at={['shared', token]} blocks={report.blocks} />}
      </div>
      {report ? (
        <ReportView report={report} />
      ) : (
        <article class="report">
          <p class="note">{r.plainText}</p>
          <pre class="text">{shared.output_text}</pre>
        </article>
      )}
    </main>
  );
}

/** Why it is not shown, and where to go from here. */
function Closed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const w = shareWords();
  const isGone = error instanceof ApiError && error.code === 'share_not_found';
  return (
    <>
      <h1>{readWords().untitled}</h1>
      <ErrorNote error={error} onRetry={isGone ? undefined : onRetry} />
      {isGone && <p class="muted">{w.wayOut}</p>}
      <p>
        <a class="button" href={hrefOf('ask')}>
          {w.start}
        </a>
      </p>
    </>
  );
}

/** @throws ApiError */
async function load(token: string): Promise<Loaded> {
  const reply = await send('api/v1/shared', {
    // As a whole token is; an address that was cut off or changed may be no header.
    headers: { 'x-share-token': encodeURIComponent(token) },
    cache: 'no-store',
  });
  if (!reply.ok) throw await toApiError(reply);
  const shared = (await reply.json()) as Schemas['SharedReportDto'];
  if (shared.output_text.length > LONGEST) return { shared };
  const report = parseReport({
    id: '',
    text: shared.output_text,
    question: null,
    isIncomplete: shared.status === 'incomplete',
    reason: null,
    limits: [],
    model: null,
    verdicts: {},
    verifier: null,
    completedAt: shared.completed_at,
    citations: shared.citations ?? [],
    sources: shared.sources ?? [],
  });
  return { shared, report };
}
