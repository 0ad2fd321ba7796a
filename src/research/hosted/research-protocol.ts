import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { HostedToolset } from '../../llm/responses/hosted-toolset';
import type { ModelProfile } from '../../llm/models/model-profile';
import type {
  EventStream,
  StreamReply,
} from '../../llm/upstream/upstream.client';
import type { ActiveRun } from '../../runs/worker/active-run';
import type { Rescheduled } from '../../runs/worker/run-outcome';
import type { ResearchArguments } from '../arguments/research-arguments';
import type { HostedRunWriter } from './record/hosted-run-writer';

/** Of what is learnt about a model: the path of a parameter or of a protocol that purchases leave out follows. */
export const WITHOUT = 'research without ';
/** The endpoint does not continue runs of the model without their connection. */
export const WITHOUT_BACKGROUND = `${WITHOUT}background`;

/** What a create asks for, whatever its protocol. */
export interface CreateRequest {
  model: string;
  profile: ModelProfile;
  hosted: Pick<HostedToolset, 'tools' | 'include'>;
  args: ResearchArguments;
  /** Of the output; undefined for models that search and decide themselves how much they write. */
  maxTokens?: number;
  metadata: { invocation_id: string; attempt_id: string };
}

/** A run by both of its names. */
export interface BoughtRun {
  /** Here. */
  id: string;
  /** At the endpoint. */
  upstreamId: string;
}

/** A run that was purchased. */
export interface PurchasedRun {
  upstreamId: string;
  /** The attempt that purchased it; undefined if that was earlier. */
  attemptId?: string;
  /** The purchase asked for a run that continues without its connection; only replies show whether this one does. */
  background: boolean;
  /** The rest of the reply, if it was a stream. */
  stream?: EventStream<ResponseStreamEvent>;
  /** The reply, if it was not a stream. */
  response?: Response;
}

/**
 * A protocol over which a model endpoint carries research. Its events and its end are those of Responses, into which other
 * protocols translate, so that one record and one report serve all.
 */
export interface ResearchProtocol {
  readonly name: string;
  /** Of the create, relative to `/v1`. */
  readonly path: string;
  /** Whether it has a background mode, in which a run continues without its connection. */
  readonly background: boolean;
  /** Whether runs with this id are followed over it. */
  owns(upstreamId: string): boolean;
  /** The body of the one request that purchases a run. */
  body(request: CreateRequest): object;
  /**
   * Reads the reply up to the id of the run.
   * @throws UpstreamError if it has none, or is the reply to another create.
   */
  purchased(
    reply: StreamReply<unknown>,
    attempt: { id: string; runId: string; model: string },
  ): PurchasedRun | Promise<PurchasedRun>;
  /** @throws AppError if the outcome of the run can no longer be known, RunLost, or the signal's reason. */
  toEnd(
    purchased: PurchasedRun,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response | Rescheduled>;
  /** Stops the run at the endpoint, without reading its response. */
  requestCancel(bought: BoughtRun, signal: AbortSignal): Promise<unknown>;
  /** Stops the run at the endpoint. Returns its response, if there is one. */
  cancel(bought: BoughtRun, signal: AbortSignal): Promise<Response | undefined>;
}
