import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, Invocation, type Reply } from '../../support/client';
import { API_KEY, type Fleet } from '../fleet/fleet';
import type { SeenRecord, ObservedRun } from './observed-run';
import { Random } from '../random';
import { isAboutAsking } from './scenarios';
import { APIS } from '../faults';
import type { ChatPlan, SubmissionPlan } from '../schedule';

const RESEARCH = '/api/v1/tool-invocations';

/** A persistent caller: safe requests are repeated, at either API, until there is a response. */
export class Caller {
  constructor(
    private readonly fleet: Fleet,
    /** Aborts at the time limit. */
    private readonly limit: AbortSignal,
  ) {}

  async submit(plan: SubmissionPlan, story: ObservedRun): Promise<void> {
    for (const fault of plan.recipe?.faults ?? [])
      if (!isAboutAsking(fault)) await this.fleet.stand.fault(fault);
    story.onAcknowledged = (id) => this.armAsking(plan, id);
    const random = new Random(plan.seed);
    if (!plan.keyed) return this.submitUnlessLost(plan, story, random);
    const twins = Array.from({ length: APIS }, (_, api) =>
      this.submitUntilAcknowledged(plan, story, api, random.fork()),
    );
    await Promise.all(twins);
  }

  private armAsking({ recipe }: SubmissionPlan, id: string): void {
    for (const fault of recipe?.faults ?? []) {
      if (!isAboutAsking(fault)) continue;
      const { body: _, ...match } = fault.match ?? {};
      void this.fleet.stand.fault({
        ...fault,
        match: { ...match, invocation_id: id },
      });
    }
  }

  async chat(plan: ChatPlan, story: ObservedRun): Promise<void> {
    const message = `Research the history of kimchi in detail, ${plan.marker}`;
    const reply = await this.attempt(() =>
      this.keyed(plan.api).request('POST', '/api/v1/chat', {
        body: { message },
        signal: story.limit,
      }),
    );
    if (!reply || !this.isAnswer(reply, story, 'a chat')) return;
    const calls = reply.body.tool_calls as {
      invocation_id: string | null;
      invocation_token: string | null;
    }[];
    for (const { invocation_id: id, invocation_token: token } of calls)
      if (id !== null && token !== null) story.acknowledge(id, token);
  }

  /** Cancels or deletes, until that is acknowledged. */
  async stop(story: ObservedRun, how: 'cancel' | 'delete'): Promise<void> {
    const random = new Random(story.plan!.seed + 1);
    story.stopSent = true;
    await this.repeat(random, async (api) => {
      const invocation = this.open(story, api);
      const reply = await (how === 'cancel'
        ? invocation.cancel()
        : invocation.remove());
      // The first of two attempts may have removed it, and its reply may have been lost.
      story.stopped =
        (how === 'delete' && isGone(reply)) || this.isAnswer(reply, story, how);
      return story.stopped;
    });
  }

  /** The record; undefined if it no longer exists, or if this API does not respond now. */
  async read(story: ObservedRun, api: number): Promise<SeenRecord | undefined> {
    const { path, headers } = this.open(story, api);
    const deletedBefore = story.deleted && story.stopped;
    const reply = await this.attempt(() =>
      this.fleet
        .client(api)
        .request('GET', path, { headers, signal: story.limit }),
    );
    if (!reply) return undefined;
    if (isGone(reply) && story.deleted) return undefined;
    if (!this.isAnswer(reply, story, 'a read')) return undefined;
    if (deletedBefore) story.complaints.push('was read after it was deleted');
    const record = reply.body as SeenRecord;
    story.saw(record);
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

  open(story: ObservedRun, api: number): Invocation {
    return new Invocation(
      this.fleet.client(api),
      story.id!,
      story.tokens.at(-1)!,
    );
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
    story: ObservedRun,
    random: Random,
  ): Promise<void> {
    const attempt = async (api: number): Promise<boolean> => {
      try {
        const taken = this.take(await this.post(plan, story, api, {}), story);
        story.refused ||= !taken;
        return taken;
      } catch (error) {
        if (isRefused(error)) return false;
        story.lost = true;
        if (error instanceof TypeError) return true;
        throw error;
      }
    };
    return this.repeat(random, attempt, plan.api);
  }

  private submitUntilAcknowledged(
    plan: SubmissionPlan,
    story: ObservedRun,
    first: number,
    random: Random,
  ): Promise<void> {
    const headers = { 'idempotency-key': `key of ${plan.marker}` };
    return this.repeat(
      random,
      async (api) => {
        const reply = await this.post(plan, story, api, headers);
        // The other of the two was acknowledged, and its run is deleted by now.
        return (isGone(reply) && story.deleted) || this.take(reply, story);
      },
      first,
    );
  }

  private post(
    { mode, marker }: SubmissionPlan,
    { limit }: ObservedRun,
    api: number,
    headers: Record<string, string>,
  ): Promise<Reply> {
    const flag = mode === 'foreground' ? {} : { [mode]: true };
    return this.keyed(api).request('POST', RESEARCH, {
      headers,
      signal: limit,
      body: {
        tool_name: 'deep_research',
        arguments: {
          research_question: `The history of kimchi, ${marker}`,
          ...flag,
        },
      },
    });
  }

  private take(reply: Reply, story: ObservedRun): boolean {
    if (!this.isAnswer(reply, story, 'a submission')) return false;
    const { invocation_id: id, invocation_token: token } = reply.body as Record<
      'invocation_id' | 'invocation_token',
      string
    >;
    story.acknowledge(id, token);
    if (reply.status === 200) story.replies.push(reply.body as SeenRecord);
    return true;
  }

  /** Whether the request was carried out. Records a rejection that must not happen. */
  private isAnswer(
    { status, headers, body }: Reply,
    story: ObservedRun,
    what: string,
  ): boolean {
    if (status < 300) return true;
    const comesBack = status === 503 && headers.has('retry-after');
    if (!comesBack && status !== 409)
      story.complaints.push(
        `${what} was answered ${status} ${JSON.stringify(body)}`,
      );
    return false;
  }

  private keyed(api: number): Client {
    return this.fleet.client(api).as(API_KEY);
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
