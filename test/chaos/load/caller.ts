import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, Invocation, type Reply } from '../../support/client';
import { callerOf } from '../fleet/callers';
import type { Fleet } from '../fleet/fleet';
import type { SeenRecord, ObservedRun } from './observed-run';
import { Random } from '../random';
import { doors } from './doors';
import { isAboutPolling } from './scenarios';
import { APIS } from '../faults';
import type { ChatPlan, SubmissionPlan } from '../schedule';

/** A persistent caller: safe requests are repeated, at either API, until there is a response. */
export class Caller {
  constructor(
    private readonly fleet: Fleet,
    /** Aborts at the time limit. */
    private readonly limit: AbortSignal,
  ) {}

  async submit(plan: SubmissionPlan, observedRun: ObservedRun): Promise<void> {
    for (const fault of plan.recipe?.faults ?? [])
      if (!isAboutPolling(fault)) await this.fleet.stand.fault(fault);
    observedRun.onAcknowledged = (id) => this.armPolling(plan, id);
    const random = new Random(plan.seed);
    if (!plan.keyed) return this.submitUnlessLost(plan, observedRun, random);
    const twins = Array.from({ length: APIS }, (_, api) =>
      this.submitUntilAcknowledged(plan, observedRun, api, random.fork()),
    );
    await Promise.all(twins);
  }

  private armPolling({ recipe }: SubmissionPlan, id: string): void {
    for (const fault of recipe?.faults ?? []) {
      if (!isAboutPolling(fault)) continue;
      const { body: _, ...match } = fault.match ?? {};
      void this.fleet.stand.fault({
        ...fault,
        match: { ...match, invocation_id: id },
      });
    }
  }

  async chat(plan: ChatPlan, observedRun: ObservedRun): Promise<void> {
    const message = `Research the history of kimchi in detail, ${plan.marker}`;
    const reply = await this.attempt(() =>
      this.keyed(plan.api, plan.marker).request('POST', '/api/v1/chat', {
        body: { message },
        signal: observedRun.limit,
      }),
    );
    if (!reply || !this.isAnswer(reply, observedRun, 'a chat')) return;
    const calls = reply.body.tool_calls as {
      invocation_id: string | null;
      invocation_token: string | null;
    }[];
    for (const { invocation_id: id, invocation_token: token } of calls)
      if (id !== null && token !== null) observedRun.acknowledge(id, token);
  }

  /** Cancels or deletes, until that is acknowledged. */
  async stop(
    observedRun: ObservedRun,
    how: 'cancel' | 'delete',
  ): Promise<void> {
    const random = new Random(observedRun.plan!.seed + 1);
    observedRun.stopSent = true;
    await this.repeat(random, async (api) => {
      const invocation = this.open(observedRun, api);
      const reply = await (how === 'cancel'
        ? invocation.cancel()
        : invocation.remove());
      // The first of two attempts may have removed it, and its reply may have been lost.
      observedRun.stopped =
        (how === 'delete' && isGone(reply)) ||
        this.isAnswer(reply, observedRun, how);
      return observedRun.stopped;
    });
  }

  /** The record; undefined if it no longer exists, or if this API does not respond now. */
  async read(
    observedRun: ObservedRun,
    api: number,
  ): Promise<SeenRecord | undefined> {
    const invocation = this.open(observedRun, api);
    const deletedBefore = observedRun.deleted && observedRun.stopped;
    const reply = await this.attempt(() => invocation.reply(observedRun.limit));
    if (!reply) return undefined;
    if (isGone(reply) && observedRun.deleted) return undefined;
    if (!this.isAnswer(reply, observedRun, 'a read')) return undefined;
    if (deletedBefore)
      observedRun.complaints.push('was read after it was deleted');
    const record = reply.body as SeenRecord;
    observedRun.saw(record);
    return record;
  }

  /** Repeats until `attempt` succeeds, through one API after the other. */
  async repeat(
    random: Random,
    attempt: (api: number) => Promise<boolean>,
    first = random.between(0, APIS - 1),
  ): Promise<void> {
    for (let n = 0; !this.limit.aborted; n += 1) {
      if (await this.attempt(() => attempt((first + n) % APIS))) return;
      await sleep(random.between(20, Math.min(300 * 1.5 ** n, 2_000)));
    }
  }

  open(observedRun: ObservedRun, api: number): Invocation {
    const token = observedRun.tokens.at(-1);
    const client =
      token === undefined
        ? this.keyed(api, observedRun.marker)
        : this.fleet.client(api);
    return new Invocation(client, observedRun.id!, token);
  }

  /** Undefined: the connection was refused or lost, or the time limit has passed. */
  async attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      // The error of fetch for a process that is down or has just died.
      if (error instanceof TypeError || this.limit.aborted) return undefined;
      throw error;
    }
  }

  /** Without a key only a definite rejection may be repeated: a lost reply may have been an acknowledgement. */
  private submitUnlessLost(
    plan: SubmissionPlan,
    observedRun: ObservedRun,
    random: Random,
  ): Promise<void> {
    const attempt = async (api: number): Promise<boolean> => {
      try {
        const taken = this.take(
          await this.post(plan, observedRun, api),
          observedRun,
        );
        observedRun.refused ||= !taken;
        return taken;
      } catch (error) {
        if (isRefused(error)) return false;
        observedRun.lost = true;
        if (error instanceof TypeError) return true;
        throw error;
      }
    };
    return this.repeat(random, attempt, plan.api);
  }

  private submitUntilAcknowledged(
    plan: SubmissionPlan,
    observedRun: ObservedRun,
    first: number,
    random: Random,
  ): Promise<void> {
    return this.repeat(
      random,
      async (api) => {
        const reply = await this.post(plan, observedRun, api);
        // The other of the two was acknowledged, and its run is deleted by now.
        return (
          (isGone(reply) && observedRun.deleted) ||
          this.take(reply, observedRun)
        );
      },
      first,
    );
  }

  private post(
    { door, mode, marker, agent, keyed }: SubmissionPlan,
    { limit }: ObservedRun,
    api: number,
  ): Promise<Reply> {
    const text = `The history of kimchi, ${marker}`;
    const key = keyed ? `key of ${marker}` : undefined;
    const question = { text, mode, agent, key };
    return doors[door].submit(this.keyed(api, marker), question, limit);
  }

  private take(reply: Reply, observedRun: ObservedRun): boolean {
    if (!this.isAnswer(reply, observedRun, 'a submission')) return false;
    const { door } = observedRun.plan!;
    const { id, token, record } = doors[door].read(reply);
    observedRun.acknowledge(id, token);
    if (record) observedRun.replies.push(record);
    return true;
  }

  /** Whether the request was carried out. Records a rejection that must not happen. */
  private isAnswer(
    { status, headers, body }: Reply,
    observedRun: ObservedRun,
    what: string,
  ): boolean {
    if (status < 300) return true;
    const comesBack = status === 503 && headers.has('retry-after');
    if (!comesBack && status !== 409)
      observedRun.complaints.push(
        `${what} was answered ${status} ${JSON.stringify(body)}`,
      );
    return false;
  }

  private keyed(api: number, marker: string): Client {
    const { secret } = callerOf(this.fleet.callers, marker);
    return this.fleet.client(api).as(secret);
  }
}

function isGone({ status }: Reply): boolean {
  return status === 404;
}

/** There was no process to send it to. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof TypeError ? error.cause : undefined;
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
}
