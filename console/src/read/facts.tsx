import type { Invocation, Schemas } from '../api/client';
import { clock, money } from '../i18n/format';
import type { ReportDocument } from '../ui/report.types';
import { StatusPill } from '../ui/status-pill';
import { readWords } from './read.words';
import { type Standing, standingsIn } from './standing';

/** How a run ended, and what its report rests on. */
export function Facts({
  record,
  report,
  evidence,
}: {
  record: Invocation;
  report: ReportDocument | undefined;
  evidence: Schemas['EvidenceDto'] | undefined;
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
  const missing = evidence?.missing.length ?? 0;
  const unwritten =
    evidence?.sections.filter((one) => one.unwritten).length ?? 0;
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
      {missing > 0 && <span class="pill num">{w.missing(missing)}</span>}
      {unwritten > 0 && <span class="pill num">{w.unwritten(unwritten)}</span>}
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
