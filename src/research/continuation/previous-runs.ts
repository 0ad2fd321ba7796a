import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { countTokens } from '../../llm/tokens/count-tokens';
import { RunReader } from '../../runs/store/run-reader';
import type { RunRecord } from '../../runs/record/run-record';
import { storedObject } from '../../runs/record/stored-fields';
import type { PreviousReport } from '../arguments/previous-report';
import {
  argumentsIn,
  type ResearchArguments,
} from '../arguments/research-arguments';
import { RESEARCH_JOB } from '../research-queue';

/** Tokens of an earlier report. */
const MAX_TOKENS = 8_000;
const FACTORS = { cjk: 1, other: 1 };
const MAX_SOURCES = 50;
const MAX_URL = 500;
const MAX_TITLE = 200;
/** Reports that a follow-up may ask about: with a text. */
const ENDED = ['completed', 'incomplete'];

/** Finds the report that a follow-up asks about. A copy of it is kept with the new run, so that it may outlive its own record. */
@Injectable()
export class PreviousRuns {
  constructor(
    private readonly reader: RunReader,
    private readonly config: AppConfig,
  ) {}

  /** @throws AppError `validation_failed`, the same for an id that is unknown, unfinished or of another caller. */
  async find(id: string, caller: string | undefined): Promise<PreviousReport> {
    const record = id.startsWith('inv_')
      ? await this.reader.read(id)
      : undefined;
    if (!record || !this.isOwn(record, caller) || !isReport(record))
      throw new AppError(
        'validation_failed',
        'There is no such earlier report.',
        {
          errors: [
            {
              path: 'arguments.previous_invocation_id',
              message: 'must be a finished deep_research of this caller',
              code: 'no_such_report',
            },
          ],
        },
      );
    const { args = '{}', previous } = await this.reader.readSome(
      id,
      'args',
      'previous',
    );
    const sources = (record.sources ?? [])
      .filter(({ url }) => url.length <= MAX_URL)
      .slice(0, MAX_SOURCES)
      .map(({ url, title }) => ({
        url,
        title: title.slice(0, MAX_TITLE).toWellFormed(),
      }));
    const earlier = storedObject<PreviousReport>(previous);
    return {
      question: record.question ?? '',
      paragraphs: fitting(record.text ?? ''),
      sources,
      private: (earlier?.private ?? false) || isPrivate(record, args),
    };
  }

  /** How far the agent went there; undefined for what it decided itself, and for other engines. */
  async depthOf(id: string): Promise<ResearchArguments['depth']> {
    const { engine, args, depth } = await this.reader.readSome(
      id,
      'engine',
      'args',
      'depth',
    );
    if (engine !== 'agent' || !args) return undefined;
    const known = argumentsIn({ args, depth }).depth;
    return known === 'auto' ? undefined : known;
  }

  /** As listings have it: callers without a name are one only on a loopback service without keys. */
  private isOwn(record: RunRecord, caller: string | undefined): boolean {
    const { auth, http } = this.config;
    if (record.caller !== caller) return false;
    return caller !== undefined || (http.loopback && !auth.required);
  }
}

function isReport({ tool, status, text }: RunRecord): boolean {
  return (
    tool === RESEARCH_JOB && ENDED.includes(status) && Boolean(text?.trim())
  );
}

/** The first paragraphs, as many as fit, each whole. */
function fitting(text: string): string[] {
  let left = MAX_TOKENS;
  const kept: string[] = [];
  for (const paragraph of text.split(/\n{2,}/)) {
    left -= countTokens(paragraph, FACTORS);
    if (left < 0) break;
    if (paragraph.trim()) kept.push(paragraph);
  }
  return kept;
}

/** Whether a report may hold what is not on the web. */
function isPrivate({ sources }: RunRecord, args: string): boolean {
  const given = JSON.parse(args) as Partial<ResearchArguments>;
  const isWeb = (given.data_sources ?? 'web') === 'web';
  const isPublic = ({ url }: { url: string }): boolean => /^https?:/.test(url);
  return (
    !isWeb ||
    (given.documents?.length ?? 0) > 0 ||
    !(sources ?? []).every(isPublic)
  );
}
