import { ToolCallLog } from '../support/tool-call-log';
import {
  waitForChatEnd,
  BackgroundChat,
} from '../support/chat/background-chat';
import { preload } from '../support/processes/preload';
import { Service } from '../support/processes/service';
import { Stand } from '../support/processes/stand';
import { Toolbox, testTools } from '../support/processes/toolbox';
import { until } from '../support/until';

/** One call that is purchased, and one that cannot be repeated. */
const MESSAGE =
  '[sandbox: call deep_research {"research_question": "Kimchi in detail"}]' +
  '[sandbox: call write_down {"word": "kimchi"}]';

interface Death {
  point: string;
  chat: { status: string; content: string };
  /** The error code of a chat that did not complete. */
  research: string;
  creates: number;
  note: string;
  /** How often the note was really written. */
  written: number;
  turns: number;
}

/** Kills the worker of a chat and its tools at one step after the other, and has another continue. */
async function enumerate(when: 'before' | 'after'): Promise<Death[]> {
  const callLog = new ToolCallLog();
  const toolbox = new Toolbox(testTools('plain.tool.ts'));
  const stand = await Stand.start({
    researchMs: 30,
    toolbox,
    env: callLog.env,
  });
  try {
    const deaths: Death[] = [];
    for (let n = 1; ; n += 1) {
      const death = await dieAt(`${when}:${n}:`, stand, toolbox, callLog);
      if (!death) return deaths;
      deaths.push(death);
    }
  } finally {
    await stand.stop();
    callLog.remove();
  }
}

/** Undefined: the chat had ended before that point. */
async function dieAt(
  point: string,
  stand: Stand,
  { dist }: Toolbox,
  callLog: ToolCallLog,
): Promise<Death | undefined> {
  const [rescuer] = stand.workers;
  rescuer.signal('SIGSTOP');
  await stand.reset();
  const chat = await BackgroundChat.begin(stand.client(), { message: MESSAGE });
  const env = { FAIL_POINT: point, FAIL_FROM: 'invocation claim' };
  const victim = Service.spawn(
    'worker',
    { ...stand.env, ...preload('fail-point', env) },
    dist,
  );
  const died = await Promise.race([
    victim.end().then(() => true),
    chat.wait().then(() => false),
  ]);
  await victim.stop('SIGKILL');
  await stand.expireLeases();
  rescuer.signal('SIGCONT');
  if (!died) return undefined;
  const { body } = await waitForChatEnd(chat);
  const ids = (body.tool_calls as { invocation_id: string }[]).map(
    ({ invocation_id }) => invocation_id,
  );
  const calls = await Promise.all(ids.map((id) => chat.invocation(id).read()));
  const [research, note] = calls.map(
    ({ status, error }) => error?.code ?? status,
  );
  const { creates, turns } = await stand.stats();
  // Leftovers of this one would be the next worker's first claim.
  await until(
    'nothing to be left',
    async (saw) =>
      saw(await stand.redis.call('LLEN', '{sonde}:chats:active')) === 0 &&
      saw(await stand.redis.call('ZCARD', 'sonde:unfinished')) === 0,
  );
  const written = callLog.of({ id: ids[1] }).length;
  return { point, chat: body, research, creates, note, written, turns };
}

describe('a worker that is killed at any step of a background chat', () => {
  let deaths: Death[];

  beforeAll(async () => {
    const both = [enumerate('before'), enumerate('after')];
    deaths = (await Promise.all(both)).flat();
  }, 900_000);

  it('never leaves the chat without an end, or its log with a gap or a duplicate', () => {
    expect(deaths.length).toBeGreaterThan(60);
    for (const { point, research, chat } of deaths) {
      const isLost = research === 'ambiguous_submit';
      const end = isLost ? 'failed' : 'completed';
      expect([point, chat.status]).toEqual([point, end]);
    }
  });

  it('never repeats a purchase, and polls the run unless the outcome of the purchase is unknown', () => {
    for (const { point, creates, research, chat } of deaths) {
      expect([point, creates <= 1]).toEqual([point, true]);
      if (research === 'ambiguous_submit') {
        expect(chat.content).toMatch(/^deep_research failed/);
        continue;
      }
      expect([point, creates, research]).toEqual([point, 1, 'completed']);
    }
  });

  it('never repeats a tool that cannot be repeated', () => {
    for (const { point, note, written } of deaths)
      if (note === 'completed') expect([point, written]).toEqual([point, 1]);
      else {
        expect([point, note]).toEqual([point, 'tool_interrupted']);
        expect([point, written <= 1]).toEqual([point, true]);
      }
  });

  it('repeats no turn of the model but the interrupted one', () => {
    for (const { point, turns } of deaths)
      expect([point, turns <= 3]).toEqual([point, true]);
  });

  it('fails a chat only around the two actions that are never repeated', () => {
    const failedChats = deaths.filter(
      ({ research, note }) => research !== 'completed' || note !== 'completed',
    );
    expect(failedChats.length).toBeLessThan(deaths.length / 4);
  });
});
