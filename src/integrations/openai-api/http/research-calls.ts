import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/config';
import { readForwarded } from '../../../platform/http/headers/headers-to-forward';
import { onceAnswered } from '../../../platform/http/patient-json';
import { isRetry } from '../../../platform/http/headers/retry-headers';
import { readIdempotencyKey } from '../../../runs/http/run-request';
import type { RunRecord } from '../../../runs/record/run-record';
import { JoinedRuns } from '../../../runs/repeats/joined-runs';
import type { ChatCall } from '../chat-models';
import type { CreateRequest } from '../create/create-request';
import { ResearchResponses } from '../create/research-responses';
import type { RunForm } from '../projection/run-form';
import { ResponseDelivery } from './response-delivery';

/** Begins the research that a request asks for, and answers in the form that it asks for. */
@Injectable()
export class ResearchCalls {
  constructor(
    private readonly research: ResearchResponses,
    private readonly delivery: ResponseDelivery,
    private readonly joined: JoinedRuns,
    private readonly config: AppConfig,
  ) {}

  /** @returns the reply, unless it has been sent. @throws AppError, OpenAiRefusal. */
  async answer(
    { body, caller, headers, request, reply }: ChatCall,
    create: CreateRequest,
    formOf: (record: RunRecord) => Promise<RunForm>,
  ): Promise<object | undefined> {
    const key = readIdempotencyKey(headers['idempotency-key']);
    if (create.stream) await this.delivery.admit(caller, reply);
    const { record } = await this.research.submit(body, create, {
      caller,
      requestId: request.id,
      forwarded: readForwarded(headers, this.config.upstream.forwardedHeaders),
      idempotencyKey: key,
      isRetry: isRetry(headers),
    });
    if (create.stream) {
      const form = await formOf(record);
      await this.delivery.stream(record, form, request, reply);
      return undefined;
    }
    if (create.request.background) {
      onceAnswered(reply, () => this.joined.answered(record.id));
      return this.delivery.shown(record, reply);
    }
    const form = await formOf(record);
    return this.delivery.end(record, form, request, reply);
  }
}
