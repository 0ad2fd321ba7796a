import { failureText } from '../loop/chat-reply';
import type { ChatSubmitter, NeededChat } from '../background/chat-submitter';
import { CallerAccess } from '../../platform/auth/caller-access';
import { loadConfig } from '../../config/load-config';
import type { RunRecord } from '../../runs/record/run-record';
import type { RunsService } from '../../runs/runs.service';
import type { ToolContext } from '../../tools/tool';
import { AlarmTool } from './alarm.tool';

const ID = 'inv_0198a1b2c3d47aaaaaaaaaaaaaaaaaaa';
const TIMES = {
  createdMs: 0,
  startedMs: null,
  completedMs: null,
  expiresMs: null,
};
const messageOf = (status: string, content: string) =>
  ({ status, response: { status, content } }) as RunRecord;

describe(AlarmTool.name, () => {
  let asked: NeededChat[];
  let stopped: string[];
  let leaving: AbortController;
  let end: () => RunRecord;
  let tenant: string | undefined;

  const fire = () => {
    const chats = {
      continue: async (chat: NeededChat) => {
        asked.push(chat);
        return { record: { id: chat.id } };
      },
    };
    const invocations = {
      read: async () => ({ tokenHashes: ['hash'] }),
      settled: async (id: string) => ({
        ...TIMES,
        ...end(),
        id,
      }),
      stop: async (id: string) => void stopped.push(id),
    };
    const context = {
      tenant,
      invocationId: ID,
      signal: leaving.signal,
      progress: () => undefined,
    } as unknown as ToolContext;
    return new AlarmTool(
      chats as unknown as ChatSubmitter,
      invocations as unknown as RunsService,
      new CallerAccess(loadConfig({ RELAY_API_KEYS: `bob:${'a'.repeat(64)}` })),
    ).run({ message: 'Tea!', follow_up: 'How hot is it?' }, context);
  };

  beforeEach(() => {
    asked = [];
    tenant = undefined;
    stopped = [];
    leaving = new AbortController();
    end = () => messageOf('completed', '80 °C.');
  });

  it('answers its follow-up in a chat that is the same however often it rings', async () => {
    expect(await fire()).toBe('Tea!\n\n80 °C.');
    await fire();
    expect(asked[0]).toMatchObject({ openedBy: ['hash'] });
    expect(asked[0].origin).toMatchObject({
      excludedTools: ['set_alarm'],
    });
    expect(asked[0].id).toMatch(/^chat_0198a1b2c3d47/);
    expect(asked[1].id).toBe(asked[0].id);
  });

  it.each<[string, RunRecord, string]>([
    [
      'failed without a word',
      { status: 'failed', response: null } as RunRecord,
      `Tea!\n\n${failureText(null)}`,
    ],
    [
      'was cancelled',
      { status: 'cancelled', response: null } as RunRecord,
      'Tea!',
    ],
  ])(
    'says no more than it knows of a chat that %s',
    async (_, record, expected) => {
      end = () => record;
      expect(await fire()).toBe(expected);
    },
  );

  it('does not ring for a key that was removed', async () => {
    tenant = 'alice';
    await expect(fire()).rejects.toMatchObject({ code: 'api_key_removed' });
    expect(asked).toEqual([]);
    tenant = 'bob';
    expect(await fire()).toMatch('Tea!');
  });

  it('says where to decide what its chat waits for', async () => {
    end = () =>
      messageOf('requires_action', 'This needs your approval: erase.');
    const { id } = (await fire().then(() => asked[0])) as { id: string };
    expect(await fire()).toBe(
      `Tea!\n\nThis needs your approval: erase.\n\nIt waits at /api/v1/chat/${id}.`,
    );
  });

  it.each([
    ['cancel', 1],
    ['deadline', 1],
    ['shutdown', 0],
    ['lost', 0],
  ])('left for %s, it stops %i chats', async (reason, count) => {
    end = () => {
      leaving.abort(reason);
      return { status: 'running', response: null } as RunRecord;
    };
    await expect(fire()).rejects.toBe(reason);
    expect(stopped).toEqual(asked.map(({ id }) => id).slice(0, count));
  });
});
