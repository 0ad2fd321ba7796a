import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RunLost, RunWriter } from '../../runs/worker/run-writer';
import { ChatRunWriter } from './chat-run-writer';
import { openReply } from '../loop/chat-reply';
import type { ChatReply } from '../dto/chat-response.dto';
import type { Turn } from '../turns/chat-turn';
import { readChat, readReply } from './chat-record-codec';

const ID = 'chat_1';
const INVOCATION = { id: 'inv_1', token: '', status: 'completed' as const };
const turn = (text = 'Let me see.'): Turn => ({
  agent: null,
  text,
  calls: [{ callId: 'call_1', name: 'look', arguments: '{"n":1}' }],
  atMs: 5,
  responseId: 'resp_1',
  usage: null,
  results: [
    {
      callId: 'call_1',
      toolName: 'look',
      arguments: { n: 1 },
      outcome: 'reported',
      output: [{ type: 'text', text: 'Seen.' }],
      report: 'Seen.',
      invocation: INVOCATION,
    },
  ],
});
const reply = (of: Partial<ChatReply>): ChatReply => ({
  ...openReply('completed'),
  ...of,
});

describe(ChatRunWriter.name, () => {
  let redis: TestRedis;
  let room: Invocations;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    const env = { REDIS_URL: redis.url, RELAY_MAX_STREAM_BYTES: '1024' };
    room = new Invocations(redis, loadConfig(env));
    await room.unfinished.reserve(ID);
    await room.store.create(ID, {
      tool: 'chat',
      mode: 'background',
      args: '{}',
    });
  });
  afterEach(() => room.close());

  /** As a worker that takes it up: after the one before was silent for too long. */
  const open = async (emits = true) => {
    await redis.call('HSET', `sonde:{${ID}}:record`, 'lease_ms', '0');
    const outcome = await room.store.claim(ID, 'worker', 60_000);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    const { claim } = outcome;
    const { signal } = new AbortController();
    const writer = new RunWriter(room.store, claim, signal);
    return {
      claim,
      writer,
      journal: new ChatRunWriter(writer, claim, emits),
    };
  };
  const log = async () => {
    const events = await room.reader.readLog(ID, 0, 100);
    return events
      .filter(({ type }) => type !== 'status')
      .map(({ type, data }) => [type, JSON.parse(data) as object]);
  };
  const types = async () => (await log()).map(([type]) => type);
  const progress = (seq: number, type: 'progress' | 'output_text') => ({
    seq,
    type,
    status: 'running' as const,
    data: '{"text":"secret"}',
  });

  const carry = async (journal: ChatRunWriter) => {
    await journal.turnTaken(turn(), 0);
    const watcher = journal.watch(turn(), 0, 0);
    await watcher.started({ arguments: { n: 1 }, invocation: INVOCATION });
    await watcher.event('inv_1', progress(2, 'progress'));
    await watcher.event('inv_1', progress(3, 'output_text'));
    await journal.result(turn(), 0, 0);
    await journal.reply(reply({ content: 'Done.' }), [turn()]);
  };

  it('tells all of a chat in order, each text in a part of its own, and keeps what it tells', async () => {
    const { journal } = await open();
    await carry(journal);
    const call = {
      tool_name: 'look',
      call_id: 'call_1',
      arguments: { n: 1 },
      invocation_id: 'inv_1',
      invocation_token: null,
      status: 'completed',
      error: null,
    };
    const textOf = (index: number, text: string) => [
      'delta',
      { role: 'assistant', contents: [{ index, type: 'text', text }] },
    ];
    expect(await log()).toEqual([
      textOf(0, 'Let me see.'),
      ['tool_call', call],
      [
        'tool_progress',
        {
          call_id: 'call_1',
          invocation_id: 'inv_1',
          type: 'progress',
          status: 'running',
          data: { text: 'secret' },
        },
      ],
      ['tool_result', { ...call, contents: turn().results[0]!.output }],
      textOf(1, 'Done.'),
    ]);
    const { claim } = await open();
    expect(readChat(claim.fields).turns).toEqual([turn()]);
    expect(readReply(claim.fields)?.content).toBe('Done.');
    expect(claim.text).toBe('Done.');
  });

  it('tells nothing of what was said or given before the answer was checked', async () => {
    const { journal } = await open(false);
    await carry(journal);
    const events = JSON.stringify(await log());
    expect(events).not.toMatch(/Let me see|Seen/);
    expect(await types()).toEqual([
      'tool_call',
      'tool_progress',
      'tool_result',
      'delta',
    ]);
  });

  it('begins a call once, and follows it from where the worker before was', async () => {
    const first = await open();
    await first.journal.turnTaken(turn(''), 0);
    await first.journal
      .watch(turn(), 0, 0)
      .started({ arguments: { n: 1 }, invocation: INVOCATION });
    await first.journal
      .watch(turn(), 0, 0)
      .event('inv_1', progress(7, 'progress'));
    const second = await open();
    const watcher = second.journal.watch(turn(), 0, 0);
    expect(watcher.seenSeq).toBe(7);
    await watcher.started({ arguments: { n: 1 }, invocation: INVOCATION });
    expect(await types()).toEqual(['tool_call', 'tool_progress']);
    const before = first.journal.watch(turn(), 0, 0);
    expect(watcher.invocationId).toBe(before.invocationId);
    expect(watcher.invocationId).not.toBe(
      second.journal.watch(turn(), 0, 1).invocationId,
    );
  });

  it('tells nothing of a question or a handover, but keeps what came of it', async () => {
    const { journal } = await open();
    const asked = turn('');
    asked.results[0] = { ...asked.results[0]!, outcome: 'told' };
    await journal.turnTaken(asked, 0);
    await journal.result(asked, 0, 0);
    expect(await log()).toEqual([]);
    expect(readChat((await open()).claim.fields).turns).toEqual([asked]);
  });

  it('tells no answer where there is none', async () => {
    const { journal } = await open();
    await journal.reply(reply({ status: 'failed', content: 'Sorry.' }), []);
    expect(await log()).toEqual([]);
    expect(readReply((await open()).claim.fields)?.status).toBe('failed');
  });

  it('is lost to a worker that another has taken over from, and writes nothing', async () => {
    const { journal } = await open();
    const { claim } = await open();
    await expect(carry(journal)).rejects.toBeInstanceOf(RunLost);
    expect(await log()).toEqual([]);
    await room.store.finish(ID, claim.fence, { status: 'completed' });
    await expect(journal.turnTaken(turn(), 0)).rejects.toBeInstanceOf(RunLost);
  });

  it('keeps no answer over the limit of the text', async () => {
    const { journal } = await open();
    const long = reply({ content: 'x'.repeat(1025) });
    await expect(journal.reply(long, [])).rejects.toMatchObject({
      code: 'output_too_large',
    });
    expect(await log()).toEqual([]);
    await journal.reply(reply({ content: 'x'.repeat(1024) }), []);
  });
});
