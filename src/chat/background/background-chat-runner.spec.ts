import { AppError } from '../../platform/errors';
import type { Guardrails } from '../../tools/guardrails/guardrails';
import { Suspension } from '../../runs/record/suspension';
import type { ActiveRun, StopReason } from '../../runs/worker/active-run';
import type { Outcome } from '../../runs/worker/run-outcome';
import type { Claim, RunStore } from '../../runs/store/run.store';
import { Rescheduled } from '../../runs/worker/run-outcome';
import type { RunsService } from '../../runs/runs.service';
import { RunLost } from '../../runs/worker/run-writer';
import { NO_ANSWER, openReply } from '../loop/chat-reply';
import type { ChatResult } from '../loop/chat-loop-parts';
import type { ChatRunner, ChatStart } from '../loop/chat-runner';
import type { ChatReply } from '../dto/chat-response.dto';
import type { StoredCall, Turn } from '../turns/chat-turn';
import { BackgroundChatRunner } from './background-chat-runner';
import { invocationIdOf, writeReply, writeTurns } from './chat-record-codec';

const ID = 'chat_1';
const call = (callId: string) => ({ callId, name: 'look', arguments: '{}' });
const TURN: Turn = {
  agent: null,
  text: '',
  calls: [call('a'), call('b'), call('c')],
  atMs: 5,
  responseId: null,
  usage: null,
  results: [undefined, { callId: 'b', output: [] } as unknown as StoredCall],
};
const reply = (of: Partial<ChatReply>): ChatReply => ({
  ...openReply('completed'),
  content: 'Done.',
  ...of,
});
const WAITS = {
  approvals: [{ call_id: 'a', tool_name: 'erase', arguments: {} }],
  questions: [],
};
const error = {
  code: 'upstream_timeout',
  message: 'm',
  retryable: true,
} as const;

describe(BackgroundChatRunner.name, () => {
  let stopped: string[];
  let written: Record<string, string>;
  let started: ChatStart | undefined;
  let stop: AbortController;

  const carry = (
    fields: Record<string, string>,
    end: (start: ChatStart) => Partial<ChatResult>,
    append: number | 'fenced' | 'too_large' = 2,
  ): Promise<Outcome> => {
    const runner = {
      run: async (start: ChatStart) => {
        started = start;
        return { answer: NO_ANSWER, requiredAction: null, ...end(start) };
      },
    };
    const store = {
      append: async (
        _: string,
        __: string,
        ___: number,
        { fields: more }: { fields: Record<string, string> },
      ) => {
        Object.assign(written, more);
        return append;
      },
    };
    const chat = new BackgroundChatRunner(
      runner as unknown as ChatRunner,
      store as unknown as RunStore,
      {
        stop: async (id: string) => void stopped.push(id),
      } as unknown as RunsService,
      { guardsOutput: false } as Guardrails,
    );
    const args = '{"message":"Hello"}';
    const claim = {
      id: ID,
      fields: { args, tokens: 't,u', caller: 'alice', seq: '1', ...fields },
    } as unknown as Claim;
    return chat.run(claim, { signal: stop.signal } as ActiveRun);
  };
  const never = () => {
    throw new Error('It was carried again.');
  };

  beforeEach(() => {
    stopped = [];
    written = {};
    started = undefined;
    stop = new AbortController();
  });

  it('goes on from where its record has got to, for whom it was begun', async () => {
    const fields = { ...writeTurns([TURN]), 'decision:a': '{"approve":true}' };
    const outcome = await carry(fields, () => ({ reply: reply({}) }));
    expect(outcome).toEqual({ status: 'completed' });
    expect(started).toMatchObject({
      request: { message: 'Hello' },
      origin: { caller: { name: 'alice' } },
      turns: [{ calls: TURN.calls }],
      decisions: new Map([['a', { approve: true }]]),
      durable: { openedBy: ['t', 'u'] },
    });
    expect(written).toEqual(writeReply(reply({})));
  });

  it.each<[ChatReply, Outcome]>([
    [reply({}), { status: 'completed' }],
    [
      reply({ status: 'failed', error }),
      {
        status: 'failed',
        error: { code: error.code, message: expect.any(String) as string },
        fields: {},
      },
    ],
    [
      reply({ status: 'failed' }),
      {
        status: 'failed',
        error: { code: 'empty_output', message: expect.any(String) as string },
        fields: {},
      },
    ],
  ])(
    'ends with what is on record of it without carrying it again',
    async (stored, outcome) => {
      expect(await carry(writeReply(stored), never)).toEqual(outcome);
    },
  );

  it('waits for a human again and again, and for nothing else that it waited for', async () => {
    const waiting = reply({
      status: 'requires_action',
      required_action: WAITS,
    });
    const outcome = await carry(writeReply(waiting), () => ({
      reply: waiting,
      requiredAction: WAITS,
    }));
    expect(outcome).toEqual(new Suspension(['a'], WAITS, writeReply(waiting)));
    expect(written).toEqual({});
  });

  it.each<[StopReason, unknown, boolean]>([
    ['lost', 'lost', false],
    ['shutdown', new Rescheduled(0), false],
    ['cancel', expect.objectContaining({ status: 'cancelled' }), true],
    [
      'deadline',
      expect.objectContaining({
        status: 'failed',
        error: expect.objectContaining({ code: 'chat_timeout' }) as object,
      }),
      true,
    ],
  ])(
    'stopped for %s, ends or is gone on with, and so do its tools',
    async (reason, outcome, stops) => {
      const ids = [0, 2].map((at) => invocationIdOf(ID, TURN, 0, at));
      // Stopped before it was begun, and in the middle of it.
      for (const early of [true, false]) {
        stop = new AbortController();
        stopped = [];
        if (early) stop.abort(reason);
        const ended = await carry(writeTurns([TURN]), ({ signal }) => {
          stop.abort(reason);
          signal.throwIfAborted();
          return {};
        });
        expect(ended).toEqual(outcome);
        expect(stopped).toEqual(stops ? ids : []);
        expect(started === undefined).toBe(early);
      }
    },
  );

  it.each<[string, Error, unknown]>([
    ['is lost to another worker', new RunLost(), 'lost'],
    [
      'cannot go on',
      new AppError('output_too_large'),
      expect.objectContaining({ status: 'failed' }),
    ],
  ])('%s', async (_, thrown, outcome) => {
    const ended = await carry({}, () => {
      throw thrown;
    });
    expect(ended).toEqual(outcome);
  });

  it('is tried again for what was not expected', async () => {
    const unavailable = new Error('Connection is closed.');
    const ended = carry({}, () => {
      throw unavailable;
    });
    await expect(ended).rejects.toBe(unavailable);
  });

  it.each([
    ['fenced', 'lost'],
    ['too_large', expect.objectContaining({ status: 'failed' }) as unknown],
  ] as const)(
    'with an answer that is %s ends as it has to',
    async (append, outcome) => {
      const ended = await carry({}, () => ({ reply: reply({}) }), append);
      expect(ended).toEqual(outcome);
    },
  );
});
