import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../sandbox/testing/sandbox-under-test';
import { TestRedis } from '../../../test/support/redis/redis';
import {
  EndlessEndpoint,
  LOOP,
} from '../../../test/support/upstream/endless-endpoint';
import { ResearchRoom } from '../../../test/support/research-room';

const LINE = /\n\nNothing was searched for this text: [^\n]*$/;

describe('a run of a model that searches nothing', () => {
  let redis: TestRedis;
  let sandbox: SandboxUnderTest;
  let room: ResearchRoom;

  beforeAll(async () => {
    redis = await TestRedis.start();
    sandbox = await sandboxUnderTest();
    room = await ResearchRoom.open(redis, sandbox, { LITELLM_MODEL: 'gpt-4o' });
  });
  afterAll(async () => {
    await room.close();
    await sandbox.close();
    await redis.stop();
  });

  it('ends with a line that says so, once, and has its engine on record', async () => {
    const id = await room.submit();
    await room.carryOut(id);
    const record = await room.reader.read(id);
    expect(record).toMatchObject({ status: 'completed', engine: 'plain' });
    expect(record?.text).toMatch(LINE);
    expect(record?.text?.match(/Nothing was searched/g)).toHaveLength(1);
  });

  it('writes no more than the limit of a turn', async () => {
    const id = await room.submit();
    await room.carryOut(id);
    const bodies = await room.bodies();
    expect(bodies.at(-1)).toMatchObject({ max_output_tokens: 16_384 });
  });

  it('has no such line in JSON', async () => {
    const id = await room.submit({ text_format: { type: 'json_object' } });
    await room.carryOut(id);
    expect((await room.reader.read(id))?.text).not.toMatch(LINE);
  });

  it('ends incomplete with what it has once its text repeats itself, and leaves the endpoint', async () => {
    const endless = await EndlessEndpoint.start();
    const looping = await ResearchRoom.open(redis, sandbox, {
      LITELLM_BASE_URL: endless.url,
      LITELLM_MODEL: 'gpt-4o',
    });
    try {
      const id = await looping.submit();
      await looping.carryOut(id);
      await endless.left;
      const record = await looping.reader.read(id);
      expect(record).toMatchObject({
        status: 'incomplete',
        error: { code: 'max_output_tokens' },
      });
      expect(record!.text!.startsWith(LOOP.repeat(20))).toBe(true);
    } finally {
      await looping.close();
      endless.close();
    }
  });
});
