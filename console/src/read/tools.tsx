import { useState } from 'preact/hooks';
import { writeMarkdown } from '../../../src/report/writers/write-markdown';
import { api, read, type Invocation } from '../api/client';
import { common } from '../i18n/common.words';
import { goTo, hrefOf } from '../router';
import { ShareButton } from '../share/share-button';
import { CopyButton } from '../ui/copy-button';
import { AskedButton } from '../ui/asked-button';
import type { ReportDocument } from '../ui/report.types';
import { ContinueDialog } from './continue-dialog';
import { DownloadMenu } from './download-menu';
import { readWords } from './read.words';

/** What can be done with a report. */
export function Tools({
  record,
  report,
}: {
  record: Invocation;
  report: ReportDocument | undefined;
}) {
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
      <CopyButton
        label={w.copy}
        text={() =>
          report ? writeMarkdown(report) : (record.output_text ?? '')
        }
      />
      <CopyButton
        label={common().copyLink}
        text={() => new URL(hrefOf('read', id), location.href).href}
      />
      {record.output_text !== null && <ShareButton id={id} />}
      <button type="button" onClick={() => window.print()}>
        {w.print}
      </button>
      <a class="button" href={hrefOf('ask', id)}>
        {common().again}
      </a>
      {canContinue && (
        <button type="button" onClick={() => setContinues(true)}>
          {w.more}
        </button>
      )}
      <AskedButton
        label={common().delete}
        title={w.deleteTitle}
        about={w.deleteAbout}
        onConfirm={async () => {
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
