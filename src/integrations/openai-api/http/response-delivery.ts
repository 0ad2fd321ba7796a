import { finished } from 'node:stream/promises';
import { Injectable, Logger, Optional } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Response } from 'openai/resources/responses/responses';
import type { CallerIdentity } from '../../../platform/auth/caller';
import { AppError } from '../../../platform/errors';
import { onceAnswered, patiently } from '../../../platform/http/patient-json';
import { Shutdown } from '../../../platform/http/shutdown';
import { sendEventStream } from '../../../platform/http/sse';
import { FollowerLimits } from '../../../runs/http/events/follower-limits';
import { whileWanted } from '../../../runs/http/run-reply';
import { isFinal, isUnderWay } from '../../../runs/record/run';
import type { RunRecord } from '../../../runs/record/run-record';
import { JoinedRuns } from '../../../runs/repeats/joined-runs';
import { RunsService } from '../../../runs/runs.service';
import { ProjectedRuns } from '../projection/projected-runs';
import type { RunForm } from '../projection/run-form';
import type { ShownRun } from '../response-request';

/** Sends responses and completions to their callers. One that is not to be stored is deleted once its end has been sent. */
@Injectable()
export class ResponseDelivery {
  private readonly log = new Logger('OpenAiApi');

  constructor(
    private readonly runs: RunsService,
    private readonly projected: ProjectedRuns,
    private readonly shutdown: Shutdown,
    private readonly joined: JoinedRuns,
    @Optional() private readonly limits?: FollowerLimits,
  ) {}

  /**
   * Before a stream begins, and before anything is begun for it.
   * @throws AppError `rate_limited`.
   */
  async admit({ account }: CallerIdentity, reply: FastifyReply): Promise<void> {
    if (account !== undefined) await this.limits?.follow(account, reply.raw);
  }

  /** The response as it is. */
  async shown(
    record: RunRecord,
    reply: FastifyReply,
    include: readonly string[] = [],
  ): Promise<Response> {
    const run = await this.projected.shown(record, include);
    const response = await this.projected.response(run, record);
    if (isFinal(record.status)) this.endSent(run, record, reply);
    return response;
  }

  /**
   * The reply once the run has ended: clients take any other for an empty one.
   * @returns undefined if it has been sent.
   */
  async end(
    record: RunRecord,
    form: RunForm,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<object | undefined> {
    const wanted = whileWanted(request, reply, this.shutdown);
    let end = record;
    const work = async (): Promise<object> => {
      if (isUnderWay(record.status))
        end = await this.runs.settled(record.id, wanted);
      if (isUnderWay(end.status) && !reply.sent)
        throw new AppError('shutting_down');
      if (isFinal(end.status)) this.endSent(form.run, end, reply);
      return form.whole(end);
    };
    return patiently(reply, work(), (error) => form.failed(error, end));
  }

  async stream(
    record: RunRecord,
    form: RunForm,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const wanted = whileWanted(request, reply, this.shutdown);
    await sendEventStream(request, reply, form.frames(wanted));
    // Without a disconnect, the frames have reached the end.
    if (wanted.aborted) return;
    this.endSent(form.run, record, reply);
  }

  /** The end of a run is being sent, whichever request asks for it. */
  private endSent(
    { request }: ShownRun,
    { id }: RunRecord,
    reply: FastifyReply,
  ): void {
    const { raw } = reply;
    if (raw.req.method === 'HEAD') return;
    onceAnswered(reply, () => this.joined.answered(id));
    if (request.store) return;
    const forget = async (): Promise<void> => {
      if (!raw.writableFinished) await finished(raw);
      await this.runs.remove(await this.runs.read(id));
    };
    // What was not read to its end is kept for whoever asks again; at the latest the retention ends it.
    forget().catch((error: unknown) => this.log.debug(error));
  }
}
