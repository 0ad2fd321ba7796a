import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors';
import type { GivenCitation, ReportInput } from '../../report/report.types';
import { isFinal } from '../../runs/record/run';
import { rfc3339 } from '../../platform/rfc3339';
import type { RunRecord } from '../../runs/record/run-record';
import type { ReadSourceDto } from '../evidence/evidence.dto';
import { EvidenceStore } from '../evidence/evidence.store';
import { RESEARCH_JOB } from '../research-queue';

/** Reads what a report is made of: the record, and what the run has read. */
@Injectable()
export class ReportSource {
  constructor(private readonly evidence: EvidenceStore) {}

  /** @throws AppError `invocation_not_ended`, `report_not_found`. */
  async read(record: RunRecord): Promise<ReportInput> {
    if (record.tool !== RESEARCH_JOB) throw new AppError('report_not_found');
    if (!isFinal(record.status)) throw new AppError('invocation_not_ended');
    if (!record.text?.trim()) throw new AppError('report_not_found');
    const { sources, ...checked } = await this.evidence.shown(record);
    const byNumber = new Map(sources.map((one) => [one.number, one]));
    const citations = (record.citations ?? []) as GivenCitation[];
    return {
      id: record.id,
      text: record.text,
      question: record.question,
      isIncomplete: record.status === 'incomplete',
      reason: record.error?.message ?? null,
      limits: record.limitsReached ?? [],
      model: record.model,
      ...checked,
      completedAt: rfc3339(record.completedMs),
      citations: citations.map((one) =>
        withReading(one, byNumber.get(one.source ?? NaN)),
      ),
      sources: record.sources ?? [],
    };
  }
}

/** A page that was purged since the record was read leaves no quote either. */
function withReading(
  citation: GivenCitation,
  source: ReadSourceDto | undefined,
): GivenCitation {
  const { quote, detail, purged, ...rest } = citation;
  const read = {
    ...rest,
    ...(source?.fetched_at && { readAt: source.fetched_at }),
  };
  if (purged || source?.purged) return { ...read, purged: true };
  if (!quote) return read;
  const window = source?.quotes.find((one) => one.quote === quote)?.window;
  return {
    ...read,
    quote,
    ...(detail && { detail }),
    ...(window && { window }),
  };
}
