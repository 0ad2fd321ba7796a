import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../../sandbox/testing/sandbox-under-test';
import { TestRedis } from '../../../../test/support/redis/redis';
import {
  type ClaimedRun,
  QUESTION,
  ResearchRoom,
} from '../../../../test/support/research-room';
import { RunLost } from '../../../runs/worker/run-writer';
import {
  researchArguments,
  type ResearchArguments,
} from '../../arguments/research-arguments';
import type { PurchasedRun } from '../research-protocol';
import { readReport } from '../report';
import { Follow } from './follow';

describe(Follow.name, () => {
  let redis: TestRedis;
  let sandbox: SandboxUnderTest;
  let room: ResearchRoom;
  let claimed: ClaimedRun;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    redis = await TestRedis.start();
    sandbox = await sandboxUnderTest();
  });
  afterAll(async () => {
    await sandbox.close();
    await redis.stop();
  });
  beforeEach(async () => {
    await sandbox.config({ research_ms: 40 });
    room = await ResearchRoom.open(redis, sandbox);
    claimed = await room.claim(await room.submit());
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await room.close();
  });

  const create = ({ claim, writer, run }: ClaimedRun = claimed) =>
    room.purchase.create(
      claim.id,
      researchArguments.parse({
        research_question: QUESTION,
      }) as ResearchArguments,
      writer,
      run,
      new AbortController().signal,
    );
  const follow = async (purchased: PurchasedRun) => {
    const end = await room.follow.toEnd(purchased, claimed.writer, claimed.run);
    if (!('id' in end)) throw new Error('rescheduled');
    return end;
  };
  /** Time passes faster for this run: its rests are a five-hundredth as long. */
  const accelerate = ({ run }: ClaimedRun) => {
    const rest = run.rest.bind(run);
    jest
      .spyOn(run, 'rest')
      .mockImplementation((ms, promise) => rest(ms / 500, promise));
  };
  const stats = () =>
    sandbox.get<{ resumes: number; retrieves: number }>('/sandbox/stats');
  /** A stream that a proxy writes, of a run that continues at the endpoint. */
  const streamed = async (
    events: object[],
    purchased: PurchasedRun,
  ): Promise<PurchasedRun> => {
    purchased.stream?.close();
    async function* batches(): AsyncGenerator<ResponseStreamEvent[]> {
      yield events as ResponseStreamEvent[];
    }
    return {
      ...purchased,
      stream: { events: batches(), close: () => undefined },
    };
  };

  it('follows a stream to its end and emits the text as it comes', async () => {
    const end = await follow(await create());
    expect(end.status).toBe('completed');
    expect(claimed.writer.text).toBe(readReport(end).text);
    expect(claimed.writer.text).not.toBe('');
    expect((await stats()).resumes).toBe(0);
  });

  it('polls a run whose stream is silent, and takes its end from the poll', async () => {
    await sandbox.fault({ kind: 'silence', after_events: 3 });
    const purchased = await create();
    accelerate(claimed);
    const end = await follow(purchased);
    expect(end).toMatchObject({
      id: purchased.upstreamId,
      status: 'completed',
    });
    expect((await stats()).retrieves).toBeGreaterThan(0);
  });

  it('polls a run with a silent stream at once when a webhook has reported its end', async () => {
    await sandbox.fault({ kind: 'silence', after_events: 3 });
    const purchased = await create();
    const following = follow(purchased);
    const ended = async () =>
      (await sandbox.client.responses.retrieve(purchased.upstreamId)).status;
    while ((await ended()) !== 'completed');
    claimed.run.nudge();
    expect((await following).status).toBe('completed');
  });

  it('reopens a broken stream after the last event, without duplicate text', async () => {
    // A run that ends before its stream breaks is read by the next poll.
    await sandbox.config({ research_ms: 2_000 });
    await sandbox.fault({ kind: 'cut', after_events: 12 });
    const end = await follow(await create());
    expect(end.status).toBe('completed');
    expect((await stats()).resumes).toBe(1);
    expect(readReport(end).text.startsWith(claimed.writer.text)).toBe(true);
  });

  it('confirms an end that is no report by GET: a failure that a proxy invents ends no run', async () => {
    const purchased = await create();
    const { upstreamId: id } = purchased;
    const failed = {
      type: 'response.failed',
      sequence_number: 1,
      response: { id, status: 'failed', output: [], error: { code: 'broken' } },
    };
    const end = await follow(await streamed([failed], purchased));
    expect(end.status).toBe('completed');
    expect(readReport(end).text).not.toBe('');
  });

  it('confirms an empty report by GET', async () => {
    const purchased = await create();
    const { upstreamId: id } = purchased;
    const empty = {
      type: 'response.completed',
      sequence_number: 1,
      response: { id, status: 'completed', output: [] },
    };
    const end = await follow(await streamed([empty], purchased));
    expect(readReport(end).text).not.toBe('');
  });

  const another = {
    id: 'resp_another',
    status: 'completed',
    output: [
      {
        type: 'message',
        content: [{ type: 'output_text', text: 'of another', annotations: [] }],
      },
    ],
  };
  it.each([
    ['of another id', another],
    [
      'of another run',
      { ...another, id: undefined, metadata: { invocation_id: 'inv_another' } },
    ],
  ])(
    'takes neither text nor an end from the part of a stream that is %s',
    async (_, response) => {
      const purchased = await create();
      const at = { item_id: 'm', output_index: 0, content_index: 0 };
      const end = await follow(
        await streamed(
          [
            { type: 'response.in_progress', response },
            { type: 'response.output_text.delta', ...at, delta: 'of another' },
            { type: 'response.completed', response },
          ],
          purchased,
        ),
      );
      expect(end.id).toBe(purchased.upstreamId);
      expect(readReport(end).text).not.toBe('of another');
      expect(claimed.writer.text).not.toContain('of another');
    },
  );

  it('takes an end whose response a proxy has renamed, by the run that its metadata names', async () => {
    const purchased = await create();
    const { id: invocation_id } = claimed.claim;
    const response = { ...another, metadata: { invocation_id } };
    const completed = { type: 'response.completed', response };
    const end = await follow(await streamed([completed], purchased));
    expect(end.id).toBe('resp_another');
  });

  it('follows a run without a stream by polling it', async () => {
    const purchased = await create();
    purchased.stream?.close();
    const { upstreamId, background } = purchased;
    const end = await follow({ upstreamId, background });
    expect(end).toMatchObject({ id: upstreamId, status: 'completed' });
    expect(await room.creates()).toBe(1);
  });

  describe('without a subscriber', () => {
    const at = { item_id: 'm', output_index: 0, content_index: 0 };
    /** A stream whose events come when they are sent. */
    const sendable = (purchased: PurchasedRun) => {
      purchased.stream?.close();
      const sent = new PassThrough({ objectMode: true });
      const events = sent[Symbol.asyncIterator]() as AsyncIterator<
        ResponseStreamEvent[]
      >;
      const close = () => void sent.destroy();
      return {
        sent,
        send: (...batch: object[]) => sent.write(batch),
        purchased: { ...purchased, stream: { events, close } },
      };
    };
    const text = (delta: string) => ({
      type: 'response.output_text.delta',
      ...at,
      delta,
    });
    const completed = (id: string, answer: string) => ({
      type: 'response.completed',
      response: {
        id,
        status: 'completed',
        output: [
          {
            type: 'message',
            content: [{ type: 'output_text', text: answer, annotations: [] }],
          },
        ],
      },
    });
    beforeEach(() => {
      jest.spyOn(claimed.run, 'attended', 'get').mockReturnValue(false);
    });

    it.each([
      ['says nothing of background mode', {}],
      ['says that it is none', { background: false }],
    ])(
      'reads the stream of an endpoint that stores nothing and %s to its end, and remembers that',
      async (_, said) => {
        const bought = await create();
        const { upstreamId: id } = bought;
        await sandbox.client.responses.delete(id);
        const { purchased, send } = sendable(bought);
        const response = { id, status: 'in_progress', ...said };
        send({ type: 'response.created', response });
        const retrieve = jest.spyOn(room.responses, 'retrieve');
        const following = follow(purchased);
        send(text('The '));
        while (retrieve.mock.calls.length === 0) await setImmediate();
        await expect(retrieve.mock.results[0].value).rejects.toMatchObject({
          code: 'upstream_response_gone',
        });
        send(text('answer'), completed(id, 'The answer'));
        expect(readReport(await following).text).toBe('The answer');
        expect(claimed.writer.text).toBe('The answer');
        expect(retrieve).toHaveBeenCalledTimes(1);
        expect(await room.creates()).toBe(1);
        expect(room.learnt.of(claimed.writer.model)).toMatchObject([
          { fact: 'research without background' },
        ]);
      },
    );

    it('stays on a stream whose stored response is not in the background', async () => {
      await sandbox.config({ research_ms: 60_000 });
      const bought = await create();
      const { upstreamId: id } = bought;
      const { purchased, send } = sendable(bought);
      const stored = jest
        .spyOn(room.responses, 'retrieve')
        .mockResolvedValue({ id, status: 'in_progress' } as never);
      const following = follow(purchased);
      while (stored.mock.calls.length === 0) await setImmediate();
      send(text('The answer'), completed(id, 'The answer'));
      expect(readReport(await following).text).toBe('The answer');
      expect(stored).toHaveBeenCalledTimes(1);
    });

    it('leaves the stream of an endpoint that confirms background mode, with one request', async () => {
      await sandbox.config({ research_ms: 2_000 });
      const bought = await create();
      const { upstreamId: id } = bought;
      const { purchased, send, sent } = sendable(bought);
      const response = { id, status: 'in_progress', background: true };
      send({ type: 'response.created', response });
      accelerate(claimed);
      const end = await follow(purchased);
      expect(sent.destroyed).toBe(true);
      expect(readReport(end).text).not.toBe('');
      expect(room.learnt.of(claimed.writer.model)).toEqual([]);
    });

    it('does not end a silent stream because the endpoint stores nothing', async () => {
      jest.restoreAllMocks();
      const bought = await create();
      const { upstreamId: id } = bought;
      await sandbox.client.responses.delete(id);
      const { purchased, send } = sendable(bought);
      const retrieve = jest.spyOn(room.responses, 'retrieve');
      const following = follow(purchased);
      claimed.run.nudge();
      while (retrieve.mock.calls.length === 0) await setImmediate();
      await expect(retrieve.mock.results[0].value).rejects.toBeDefined();
      send(completed(id, 'The answer'));
      expect(readReport(await following).text).toBe('The answer');
    });
  });

  it('takes the end that a stream reports from an endpoint that stores nothing', async () => {
    const purchased = await create();
    const { upstreamId: id } = purchased;
    await sandbox.client.responses.delete(id);
    const failed = {
      type: 'response.failed',
      sequence_number: 1,
      response: { id, status: 'failed', output: [], error: { code: 'broken' } },
    };
    const end = await follow(await streamed([failed], purchased));
    expect(end.status).toBe('failed');
  });

  it('stops with the reason of a run that is stopped', async () => {
    await sandbox.fault({ kind: 'stay', status: 'in_progress' });
    const following = follow(await create());
    claimed.run.stop('cancel');
    await expect(following).rejects.toBe('cancel');
  });

  it('stops with RunLost when another worker has the run', async () => {
    const purchased = await create();
    await room.lose(claimed);
    await room.claim(claimed.claim.id);
    await expect(follow(purchased)).rejects.toThrow(RunLost);
  });
});
