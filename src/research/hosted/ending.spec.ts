import { Logger } from '@nestjs/common';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../sandbox/testing/sandbox-under-test';
import { TestRedis } from '../../../test/support/redis/redis';
import { ResearchRoom } from '../../../test/support/research-room';
import { ScriptedUpstream } from '../../../test/support/upstream/scripted-upstream';
import { HostedEndings } from './ending';

const COMPLETIONS = { LITELLM_MODEL: 'sandbox-sonar' };
const RESPONSES = { LITELLM_MODEL: 'o3-deep-research' };

describe(HostedEndings.name, () => {
  let redis: TestRedis;
  let sandbox: SandboxUnderTest;
  let upstream: ScriptedUpstream;
  let room: ResearchRoom;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    redis = await TestRedis.start();
    sandbox = await sandboxUnderTest();
    upstream = await ScriptedUpstream.start();
  });
  afterAll(async () => {
    await upstream.close();
    await sandbox.close();
    await redis.stop();
  });
  afterEach(() => room.close());

  const carryOut = async (reply: object, env: Record<string, string>) => {
    room = await ResearchRoom.open(redis, sandbox, {
      LITELLM_BASE_URL: upstream.url,
      ...env,
    });
    upstream.play(reply);
    const id = await room.submit();
    await room.carryOut(id);
    const { status, error, searched, asks } = (await room.reader.read(id))!;
    const text = await room.reader.readText(id);
    const [code, creates] = [error?.code, upstream.paths.length];
    return { status, code, text, searched, asks, creates };
  };
  const search = {
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'noodles' },
  };
  const response = (status: string, content: object[], more: object = {}) => ({
    id: 'resp_1',
    status,
    output: [search, { type: 'message', content }],
    ...more,
  });
  const said = { type: 'output_text', text: 'Noodles', annotations: [] };
  const choice = (message: object, finish_reason: string) => ({
    choices: [{ index: 0, message, finish_reason }],
    citations: ['https://a.example/'],
  });
  const refusal = 'I cannot help with that.';

  it.each([
    [
      'Responses',
      response('completed', [{ type: 'refusal', refusal }]),
      RESPONSES,
    ],
    [
      'Chat Completions',
      choice({ content: null, refusal }, 'stop'),
      COMPLETIONS,
    ],
    [
      'a stream of Chat Completions',
      [
        { choices: [{ index: 0, delta: { refusal: 'I cannot ' } }] },
        { choices: [{ index: 0, delta: { refusal: 'help with that.' } }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      ],
      COMPLETIONS,
    ],
  ])('keeps what a model says that refuses, over %s', async (_, reply, env) => {
    expect(await carryOut(reply, env)).toMatchObject({
      status: 'incomplete',
      code: 'model_refused',
      text: refusal,
      creates: 1,
    });
  });

  const reason = (reason: string) => ({ incomplete_details: { reason } });
  it.each([
    ['max_output_tokens', 'max_output_tokens'],
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
    ['anything_else', 'upstream_incomplete'],
  ])('names the reason %s of a partial text %s', async (given, code) => {
    expect(
      await carryOut(response('incomplete', [said], reason(given)), RESPONSES),
    ).toMatchObject({ status: 'incomplete', code, text: 'Noodles' });
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['max_tokens', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
    ['safety', 'content_filter'],
  ])('names the end %s over Chat Completions %s', async (given, code) => {
    expect(
      await carryOut(choice({ content: 'Noodles' }, given), COMPLETIONS),
    ).toMatchObject({ status: 'incomplete', code, text: 'Noodles' });
    expect(
      await carryOut(choice({ content: '' }, given), COMPLETIONS),
    ).toMatchObject({ status: 'failed', code });
  });

  const unsearched = (text: string) => ({
    ...response('completed', []),
    output: [{ type: 'message', content: [{ ...said, text }] }],
  });

  it('says of a text without a search that none is on record, and marks the run', async () => {
    expect(await carryOut(unsearched('Noodles.'), RESPONSES)).toMatchObject({
      status: 'completed',
      searched: false,
      asks: false,
      text: 'Noodles.\n\nNo search is on record for this text: the model endpoint reports none.',
    });
    expect(
      await carryOut(response('completed', [said]), RESPONSES),
    ).toMatchObject({ searched: true, asks: false, text: 'Noodles' });
    expect(
      await carryOut(choice({ content: 'Noodles' }, 'stop'), COMPLETIONS),
    ).toMatchObject({ searched: true, asks: false, text: 'Noodles' });
  });

  it.each([
    ['Which noodles do you mean?', true],
    ['어느 나라의 국수를 말씀하시나요?', true],
    ['**Which noodles do you mean?**\n', true],
    [`${'Noodles are old. '.repeat(200)}Shall I go on?`, false],
  ])('marks a question of the model: %s', async (text, asks) => {
    expect(await carryOut(unsearched(text), RESPONSES)).toMatchObject({ asks });
  });

  const error = { code: 'content_policy_violation', message: 'Not allowed' };
  it.each([
    ['a reply over Responses', { error }, RESPONSES],
    ['a reply over Chat Completions', { error }, COMPLETIONS],
    ['the stream of Responses', [{ type: 'error', error }], RESPONSES],
    [
      'a failed response in the stream',
      [{ type: 'response.failed', response: { status: 'failed', error } }],
      RESPONSES,
    ],
  ])(
    'keeps the cause that a success reports in %s, and buys nothing again',
    async (_, reply, env) => {
      const resubmits = { RELAY_AMBIGUOUS_SUBMIT: 'resubmit' };
      expect(await carryOut(reply, { ...env, ...resubmits })).toMatchObject({
        status: 'failed',
        code: 'content_policy',
        creates: 1,
      });
    },
  );

  it('never takes a failure without such a cause for proof that nothing was begun', async () => {
    const broken = { error: { code: 500, message: 'Broken' } };
    expect(await carryOut(broken, RESPONSES)).toMatchObject({
      status: 'failed',
      code: 'ambiguous_submit',
      creates: 1,
    });
  });

  it.each([
    [{ RELAY_MODEL_PROFILES: 'some-model:plain' }, false],
    [{ RELAY_MODEL_PROFILES: 'some-model:completions' }, true],
  ])(
    'asks for a search over Chat Completions only where the model has one: %j',
    async (profile, searches) => {
      room = await ResearchRoom.open(redis, sandbox, {
        LITELLM_BASE_URL: upstream.url,
        LITELLM_MODEL: 'some-model',
        ...profile,
      });
      room.learnt.learn('some-model', 'research without /responses');
      upstream.play(choice({ content: 'Noodles' }, 'stop'));
      await room.carryOut(await room.submit());
      expect(upstream.paths).toEqual(['/v1/chat/completions']);
      expect('web_search_options' in upstream.bodies[0]).toBe(searches);
    },
  );
});
