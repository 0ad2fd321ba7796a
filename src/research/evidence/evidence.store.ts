import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors';
import type { RunRecord } from '../../runs/record/run-record';
import { VERDICTS } from '../../sources/evidence/verdict';
import type { BoundSection, Note } from '../agent/agent.types';
import { JournalStore } from '../agent/journal/journal.store';
import {
  EMITTED,
  EVIDENCE,
  MISSING,
  type Read,
} from '../agent/text/shown-evidence';
import type { EvidenceDto, ReadSourceDto } from './evidence.dto';

/** What the report of a run shows besides its text. */
export type ShownEvidence = Pick<EvidenceDto, 'verdicts' | 'verifier'> & {
  sources: ReadSourceDto[];
};

/** Reads what runs have read: of a run of the agent out of its journal, of any other the list of sources in its record. */
@Injectable()
export class EvidenceStore {
  constructor(private readonly journals: JournalStore) {}

  async sources(record: RunRecord): Promise<ReadSourceDto[]> {
    return sourcesOf(record, await this.read(record));
  }

  /** What a report shows besides its text. */
  async shown(record: RunRecord): Promise<ShownEvidence> {
    const read = await this.read(record);
    return {
      sources: sourcesOf(record, read),
      verdicts: read ? countedIn(await this.sections(record.id)) : {},
      verifier: read?.verifier ?? null,
    };
  }

  /** @throws AppError `evidence_not_found` for a run that has read nothing yet, or was not the agent's. */
  async evidence(record: RunRecord): Promise<EvidenceDto> {
    const { id } = record;
    const read = await this.read(record);
    if (!read) throw new AppError('evidence_not_found');
    const { brief, plan, notes, contradictions, failed, omitted_notes } = read;
    const sections = await this.sections(id);
    return {
      brief: brief ?? null,
      plan: plan ?? null,
      notes: notes.map((note) => ({ source: note.source, ...quoteOf(note) })),
      omitted_notes,
      contradictions,
      sections,
      verdicts: countedIn(sections),
      verifier: read.verifier ?? null,
      missing: await this.missing(id),
      failed,
    };
  }

  private async read({ id, engine }: RunRecord): Promise<Read | undefined> {
    if (engine !== 'agent') return undefined;
    const [read] = await this.journals.values(id, [EVIDENCE]);
    return read as Read | undefined;
  }

  private async missing(id: string): Promise<string[]> {
    const [emitted] = await this.journals.values(id, [`emit:${MISSING}`]);
    const { sections = [] } = (emitted ?? {}) as { sections?: BoundSection[] };
    return sections.flatMap(({ sentences }) =>
      sentences.map(({ text }) => text),
    );
  }

  private async sections(id: string): Promise<EvidenceDto['sections']> {
    const values = await this.journals.values(id, EMITTED);
    const emitted = values as ({ sections?: BoundSection[] } | undefined)[];
    return emitted
      .flatMap((value) => value?.sections ?? [])
      .map(({ title, sentences, unwritten }) => ({
        title,
        ...(unwritten && { unwritten }),
        sentences: sentences.map((one) => ({
          text: one.text,
          note_ids: one.noteIds,
          kind: one.kind ?? 'fact',
          verdict: one.verdict ?? null,
          checked_by: one.checkedBy ?? null,
          detail: one.detail ?? null,
        })),
      }));
  }
}

/** Of a run that was not the agent's, the list of its record. */
function sourcesOf(
  { sources }: RunRecord,
  read: Read | undefined,
): ReadSourceDto[] {
  if (!read)
    return (sources ?? []).map(({ url, title }, at) => ({
      number: at + 1,
      url,
      title,
      fetched_at: null,
      sha256: null,
      language: null,
      quotes: [],
    }));
  return read.sources.map((source) => ({
    number: source.number,
    url: source.url,
    title: source.title,
    fetched_at: source.fetchedAt,
    sha256: source.sha256,
    language: source.language ?? null,
    quotes: read.notes
      .filter((note) => note.source === source.number)
      .map(quoteOf),
    ...(source.purged && { purged: true }),
  }));
}

/** In the order of the verdicts. */
function countedIn(sections: EvidenceDto['sections']): EvidenceDto['verdicts'] {
  const given = sections.flatMap(({ sentences }) =>
    sentences.map(({ verdict }) => verdict),
  );
  const counts = VERDICTS.map((verdict) => {
    const count = given.filter((one) => one === verdict).length;
    return [verdict, count] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function quoteOf({ id, ...note }: Note) {
  const { source: _, title: _title, ...words } = note;
  return { note_id: id, ...words };
}
