import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../sandbox/testing/sandbox-under-test';
import { TestRedis } from '../../../test/support/redis/redis';
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
});
