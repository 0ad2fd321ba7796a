import { all, joined } from '../../support/client';
import { expectInvocationEvents } from '../../support/event-schemas';
import { Stand } from '../../support/processes/stand';

describe('the event stream', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ researchMs: 300 });
  });
  afterAll(() => stand.stop());

  it('starts with the status, reports progress and text, and ends with the whole text', async () => {
    const invocation = await stand.client().submit();
    const frames = await all(invocation.events());
    expect(frames[0]).toEqual({
      id: '1',
      event: 'status',
      data: {
        invocation_id: invocation.id,
        type: 'status',
        status: 'queued',
        data: { mode: 'background' },
      },
    });
    expect(frames.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['progress', 'output_text']),
    );
    const { output_text } = await invocation.read();
    expect(frames.at(-1)).toMatchObject({
      event: 'completed',
      data: { status: 'completed', data: { output_text } },
    });
    expect(joined(frames)).toBe(output_text);
    expectInvocationEvents(frames);
  });

  it('replays the same log to late subscribers, and never repeats the research', async () => {
    const invocation = await stand.client().submit();
    const live = await all(invocation.events());
    expect(await all(invocation.events())).toEqual(live);
    expect((await stand.stats()).creates_by_invocation[invocation.id]).toBe(1);
  });

  it('resumes after the id of the header or of the query', async () => {
    const invocation = await stand.client().submit();
    const frames = await all(invocation.events());
    expect(await all(invocation.events('3'))).toEqual(frames.slice(3));
    const { body } = await stand
      .client()
      .get(
        `${invocation.path}/events?last_event_id=${frames.length - 1}`,
        invocation.headers,
      );
    expect(body).toMatch(
      new RegExp(`^id: ${frames.length}\\nevent: completed\\n`),
    );
  });

  it('reports a gap for a position that is not in the log', async () => {
    const invocation = await stand.client().submit();
    await invocation.wait();
    const frames = await all(invocation.events('99999'));
    expectInvocationEvents(frames);
    expect(frames).toEqual([
      {
        id: undefined,
        event: 'gap',
        data: {
          requested: '99999',
          earliest: '1',
          latest: expect.stringMatching(/^\d+$/),
        },
      },
    ]);
  });

  it('reports errors before the stream opens', async () => {
    const invocation = await stand.client().submit();
    const reply = await stand
      .client()
      .get(`${invocation.path}/events`, { 'x-invocation-token': 'wrong' });
    expect(reply.status).toBe(403);
    expect(reply.headers.get('content-type')).toMatch(
      'application/problem+json',
    );
  });

  it('a run continues after its reader disconnects', async () => {
    const invocation = await stand.client().submit();
    const disconnect = new AbortController();
    await expect(
      (async () => {
        for await (const frame of invocation.events(
          undefined,
          disconnect.signal,
        ))
          if (frame.id === '2') disconnect.abort();
      })(),
    ).rejects.toThrow();
    expect((await invocation.wait()).status).toBe('completed');
  });

  it('has headers that stop proxies from buffering it', async () => {
    const invocation = await stand.client().submit();
    const { headers } = await stand
      .client()
      .get(`${invocation.path}/events`, invocation.headers);
    expect(headers.get('content-type')).toMatch('text/event-stream');
    expect(headers.get('cache-control')).toMatch('no-cache');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('x-request-id')).toBeTruthy();
  });
});
