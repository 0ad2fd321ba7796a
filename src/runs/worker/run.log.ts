import { Logger } from '@nestjs/common';
import { storedObject } from '../record/stored.fields';
import type { Usage } from '../run';
import type { Claim } from '../record/run.claim';
import type { Finish } from '../record/run.store';

const log = new Logger('Runs');
/** A model is named by the upstream. */
const MAX_NAME = 100;

/**
 * The log lines of one run: its start, each takeover and its end. Ids, names, codes and numbers only; nothing that a caller, a
 * model or a tool has written.
 */
export class RunLog {
  private readonly run: object;
  private readonly begunAt: number;

  constructor({ id, fields, ageMs }: Pick<Claim, 'id' | 'fields' | 'ageMs'>) {
    this.run = named(id, fields.tool, fields.caller);
    this.begunAt = performance.now() - ageMs;
  }

  /** A claim that continues a released run is not logged. */
  claimed({ fence, tookOver, crashes }: Claim): void {
    if (tookOver) log.log({ msg: 'Run taken over', ...this.run, crashes });
    else if (fence === '1') log.log({ msg: 'Run started', ...this.run });
  }

  ended({ status, error, fields, model, tokens }: Finish): void {
    const usage = storedObject<Usage>(fields?.usage);
    const seconds = (performance.now() - this.begunAt) / 1_000;
    log.log({
      msg: 'Run ended',
      ...this.run,
      ...(model && { model: model.slice(0, MAX_NAME) }),
      status,
      ...(error && { code: error.code }),
      seconds: Math.round(seconds * 10) / 10,
      tokens: tokens ?? usage?.total_tokens,
    });
  }
}

/** Of one that ended before a worker had it. */
export function logCancelled(
  id: string,
  tool: string,
  caller: string | undefined,
): void {
  const end = { status: 'cancelled', code: 'cancelled' };
  log.log({ msg: 'Run ended', ...named(id, tool, caller), ...end });
}

function named(id: string, tool: string, caller: string | undefined): object {
  return { id, kind: tool, ...(caller && { key: caller }) };
}
