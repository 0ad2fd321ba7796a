import { createHash } from 'node:crypto';
import { Client, Invocation, type Reply } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const hash = (key: string) => createHash('sha256').update(key).digest('hex');
const alice = { authorization: 'Bearer key-of-alice' };
const bob = { authorization: 'Bearer key-of-bob' };
const QUESTION = { research_question: 'The history of kimchi' };

describe('an idempotency key', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      researchMs: 100,
      env: {
        RELAY_API_KEYS: `alice:${hash('key-of-alice')},bob:${hash('key-of-bob')}`,
      },
    });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const submit = (
    key: string,
    args: object = {},
    caller: Record<string, string> = alice,
    through = client,
  ): Promise<Reply> =>
    through.research(
      { ...QUESTION, background: true, ...args },
      { ...caller, 'idempotency-key': key },
    );
  const opened = ({ body }: Reply) =>
    new Invocation(client, body.invocation_id, body.invocation_token);
  const replayed = ({ headers }: Reply) => headers.get('idempotent-replayed');

  it('identifies one invocation, however often and wherever it is sent concurrently', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        submit('at once', {}, alice, stand.client(i % 2)),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
    expect(new Set(replies.map((reply) => opened(reply).id)).size).toBe(1);
    expect(replies.filter((reply) => !replayed(reply))).toHaveLength(1);
    expect((await opened(replies[0]).wait()).status).toBe('completed');
    expect((await stand.stats()).creates).toBe(1);
  });

  it('returns tokens that all open the record', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => submit('tokens')),
    );
    const tokens = replies.map(({ body }) => body.invocation_token);
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const { path, headers } of replies.map(opened))
      expect((await client.get(path, headers)).status).toBe(200);
    await opened(replies[0]).wait();
  });

  it('returns the first invocation when it is sent again later', async () => {
    const first = await submit('later');
    await opened(first).wait();
    const again = await submit('later');
    expect(again.status).toBe(202);
    expect(again.body).toMatchObject({
      invocation_id: first.body.invocation_id,
      status: 'completed',
    });
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    expect((await stand.stats()).creates).toBe(1);
  });

  it('gives a repeated foreground request the whole report', async () => {
    const foreground = { background: false };
    const [first, again] = await Promise.all([
      submit('foreground', foreground),
      submit('foreground', foreground),
    ]);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.output_text).toBe(first.body.output_text);
    expect((await stand.stats()).creates).toBe(1);
  });

  it('treats a body with reordered fields as the same body', async () => {
    const body = (args: object) => ({
      tool_name: 'deep_research',
      arguments: args,
    });
    const send = (args: object) =>
      client.post('/api/v1/tool-invocations', body(args), {
        ...alice,
        'idempotency-key': 'order',
      });
    const first = await send({ ...QUESTION, background: true });
    const again = await send({ background: true, ...QUESTION });
    expect(again.body.invocation_id).toBe(first.body.invocation_id);
    await opened(first).wait();
  });

  it('is rejected with another body', async () => {
    await opened(await submit('mismatch')).wait();
    const { status, body } = await submit('mismatch', {
      research_question: 'The history of sourdough',
    });
    expect([status, body.code]).toEqual([422, 'idempotency_mismatch']);
    expect(body.errors).toMatchObject([{ path: 'Idempotency-Key' }]);
  });

  it('of another caller is another key', async () => {
    const [hers, his] = [
      await submit('shared', {}, alice),
      await submit('shared', {}, bob),
    ];
    expect(his.body.invocation_id).not.toBe(hers.body.invocation_id);
    expect(replayed(his)).toBeNull();
    await Promise.all([opened(hers).wait(), opened(his).wait()]);
    expect((await stand.stats()).creates).toBe(2);
  });

  it('purchases nothing again after its record has been deleted', async () => {
    const first = opened(await submit('deleted'));
    await first.wait();
    await first.remove();
    const { status, body } = await submit('deleted');
    expect([status, body.code]).toEqual([404, 'invocation_not_found']);
    expect((await stand.stats()).creates).toBe(1);
  });

  it('is reusable after an invalid request', async () => {
    const wrong = await submit('mended', { research_question: '' });
    expect(wrong.status).toBe(422);
    const right = await submit('mended');
    expect(right.status).toBe(202);
    await opened(right).wait();
  });

  it.each([
    ['is empty', ''],
    ['is too long', 'k'.repeat(256)],
    ['is not printable', 'caf\u00e9'],
  ])('is rejected by name when it %s', async (_, key) => {
    const { status, body } = await submit(key);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors).toMatchObject([{ path: 'Idempotency-Key' }]);
    expect((await stand.stats()).creates).toBe(0);
  });
});

describe('an idempotency key whose request was rejected for lack of capacity', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ env: { RELAY_MAX_INVOCATIONS: '1' } });
  });
  afterAll(() => stand.stop());

  it('is reusable, and replays no rejection', async () => {
    const client = stand.client();
    const key = { 'idempotency-key': 'no room' };
    const submit = () =>
      client.research({ ...QUESTION, background: true }, key);
    await stand.fault({ kind: 'stay', status: 'queued' });
    const first = await client.submit();
    const refused = await submit();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBeTruthy();
    await first.cancel();
    const accepted = await until(
      'the submission to be accepted',
      async (saw) => {
        const reply = saw(await submit());
        return reply.status === 202 && reply;
      },
    );
    expect(accepted.headers.get('idempotent-replayed')).toBeNull();
    const again = await submit();
    expect(again.status).toBe(202);
    expect(again.body.invocation_id).toBe(accepted.body.invocation_id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});
