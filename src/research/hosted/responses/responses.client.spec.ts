import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { loadConfig } from '../../../config/load-config';
import { UpstreamClient } from '../../../llm/upstream/upstream.client';
import { PAUSES } from '../../../platform/pause';
import type { RateLimitCooldown } from '../rate-limit-cooldown';
import type { HostedRunWriter } from '../record/hosted-run-writer';
import { ResponsesClient } from './responses.client';

const RUN = { id: 'inv_own', upstreamId: 'resp_own' };
const OWN = { id: 'resp_own', status: 'completed' };
const { signal } = new AbortController();
/** Sent as JSON that is cut off. */
const BROKEN = {};
/** That nothing limits. */
const cooldown = { wait: async () => undefined } as unknown;

describe(ResponsesClient.name, () => {
  let server: Server;
  let upstream: UpstreamClient;
  let client: ResponsesClient;
  let replies: object[];
  let asked: string[];

  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = createServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      response.setHeader('content-type', 'application/json');
      const reply = replies.shift();
      response.end(reply === BROKEN ? '{"id":' : JSON.stringify(reply));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    upstream = new UpstreamClient(
      loadConfig({ LITELLM_BASE_URL: `http://127.0.0.1:${port}` }),
    );
    client = new ResponsesClient(upstream, cooldown as RateLimitCooldown);
  });
  afterAll(async () => {
    await upstream.onApplicationShutdown();
    server.close();
  });

  const play = (...played: object[]) => {
    replies = played;
    asked = [];
  };
  const ownedBy = (invocation_id: string, id: string) => ({
    ...OWN,
    id,
    metadata: { invocation_id },
  });

  it.each([
    ['has another id', { ...OWN, id: 'resp_other' }],
    ['names another run', ownedBy('inv_other', 'resp_own')],
    ['names another run and has another id', ownedBy('inv_other', 'resp_x')],
  ])('asks again for a response that %s', async (_, other) => {
    play(other, OWN);
    expect(await client.retrieve(RUN, signal)).toEqual(OWN);
    expect(asked).toEqual(Array(2).fill('GET /v1/responses/resp_own'));
  });

  it.each([
    ['has the id', OWN],
    ['names the run, whatever its id', ownedBy('inv_own', 'resp_renamed')],
    ['names no run and has no id', { status: 'completed' }],
    ['has empty metadata', { ...OWN, metadata: {} }],
    ['has no metadata', { ...OWN, metadata: null }],
  ])('takes a response that %s', async (_, own) => {
    play(own);
    expect(await client.retrieve(RUN, signal)).toEqual(own);
  });

  describe('with replies that are no responses', () => {
    const reasons: string[] = [];
    const writer = {
      reportWait: async (reason: string) => void reasons.push(reason),
    } as unknown as HostedRunWriter;
    beforeAll(() => {
      PAUSES.scale = 0;
    });
    afterEach(() => {
      reasons.length = 0;
    });
    afterAll(() => {
      PAUSES.scale = 1;
    });

    it.each([
      ['null', null],
      ['a text', 'busy'],
      ['a list', []],
      ['no JSON', BROKEN],
    ])('says at once that the reply is none: %s', async (_, other) => {
      play(other as object, OWN);
      expect(await client.retrieve(RUN, signal, writer)).toEqual(OWN);
      expect(reasons).toEqual(['unreadable']);
    });

    it('ends after many of them in a row', async () => {
      play(...Array<object>(40).fill([]));
      await expect(client.retrieve(RUN, signal, writer)).rejects.toMatchObject({
        code: 'upstream_error',
        message: 'The model endpoint answers with what is not a response.',
      });
      expect(asked).toHaveLength(30);
    });

    it('takes a report of an error for a refusal, also with status 200', async () => {
      const gone = { error: { code: 404, message: 'Not found' } };
      play(gone, gone, gone, OWN);
      await expect(client.retrieve(RUN, signal)).rejects.toMatchObject({
        code: 'upstream_response_gone',
      });
    });
  });

  it('cancels again what another response was cancelled for', async () => {
    play({ ...OWN, id: 'resp_other' }, OWN, OWN);
    expect(await client.cancel(RUN, signal)).toEqual(OWN);
    expect(asked).toEqual([
      'POST /v1/responses/resp_own/cancel',
      'POST /v1/responses/resp_own/cancel',
      'GET /v1/responses/resp_own',
    ]);
  });

  it('deletes once more where the reply names another response', async () => {
    play({ id: 'resp_other', deleted: true }, { id: 'resp_x', deleted: true });
    await client.delete('resp_own', signal);
    play({ id: 'resp_own', deleted: true });
    await client.delete('resp_own', signal);
    expect(asked).toEqual(['DELETE /v1/responses/resp_own']);
  });
});
