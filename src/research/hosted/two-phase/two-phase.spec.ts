import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../../sandbox/testing/sandbox-under-test';
import { TestRedis } from '../../../../test/support/redis/redis';
import { ResearchRoom } from '../../../../test/support/research-room';
import { Rescheduled } from '../../../runs/worker/run-outcome';
import { publicPhaseOf } from './public-phase';
import { TwoPhase } from './two-phase';

const DOCUMENT = 'The secret recipe of the house';

describe(TwoPhase.name, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-'));
  const file = join(folder, 'hosted.json');
  let redis: TestRedis;
  let sandbox: SandboxUnderTest;
  let room: ResearchRoom;
  let id: string;
  let publicId: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    const wiki = { url: 'https://wiki.example.com/mcp', trusted: true };
    const research = ['web_search', 'mcp:wiki'];
    writeFileSync(file, JSON.stringify({ mcp: { wiki }, research }));
    redis = await TestRedis.start();
    sandbox = await sandboxUnderTest();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await sandbox.close();
    await redis.stop();
  });
  beforeEach(async () => {
    room = await ResearchRoom.open(redis, sandbox, {
      RELAY_HOSTED_TOOLS_CONFIG: file,
    });
    id = await room.submit({
      data_sources: 'web_then_private',
      documents: [{ title: 'Recipe', text: DOCUMENT }],
    });
    publicId = publicPhaseOf(id);
  });
  afterEach(() => room.close());

  const toolTypes = ({ tools }: Record<string, unknown>) =>
    (tools as { type: string }[]).map(({ type }) => type);

  it('purchases two runs: one with the web search alone, then one with private tools alone', async () => {
    expect(await room.carryOut(id)).toBeInstanceOf(Rescheduled);
    expect(await room.carryOut(publicId)).toMatchObject({
      status: 'completed',
    });
    expect(await room.carryOut(id)).toEqual(new Rescheduled(0));
    expect(await room.carryOut(id)).toMatchObject({ status: 'completed' });
    const [web, own, ...more] = await room.bodies();
    expect(more).toEqual([]);
    expect(toolTypes(web)).toEqual(['web_search_preview']);
    expect(toolTypes(own)).toEqual(['mcp']);
    expect(JSON.stringify(web)).not.toContain(DOCUMENT);
    expect(JSON.stringify(own)).toContain(DOCUMENT);
    expect(JSON.stringify(own)).toContain('Report of the research on the web');
  });

  it('cites the sources of both phases in one record', async () => {
    await room.carryOut(id);
    await room.carryOut(publicId);
    const found = (await room.reader.read(publicId))!.sources!;
    await room.carryOut(id);
    await room.carryOut(id);
    const { sources } = (await room.reader.read(id))!;
    expect(found.length).toBeGreaterThan(0);
    expect(sources).toEqual(expect.arrayContaining(found));
    expect(await room.field(id, 'public')).toBe('');
  });

  it.each(['asks', 'waits'])(
    'never purchases the public phase again after a crash in phase `%s`',
    async (phase) => {
      await room.carryOut(id);
      await room.carryOut(publicId);
      await redis.call('HSET', `sonde:{${id}}:record`, 'phase', phase);
      expect(await room.carryOut(id)).toEqual(new Rescheduled(0));
      expect(await room.carryOut(id)).toMatchObject({ status: 'completed' });
      expect(await room.creates()).toBe(2);
    },
  );

  it('never purchases the public phase again in the private one', async () => {
    await room.carryOut(id);
    await room.carryOut(publicId);
    await room.carryOut(id);
    const lost = await room.claim(id);
    await room.lose(lost);
    expect(await room.carryOut(id)).toMatchObject({ status: 'completed' });
    expect(await room.creates()).toBe(2);
  });

  it('purchases no private phase when the public one has failed', async () => {
    await sandbox.fault({ kind: 'failed', code: 'server_error' });
    await room.carryOut(id);
    await room.carryOut(publicId);
    expect(await room.carryOut(id)).toMatchObject({ status: 'failed' });
    expect(await room.creates()).toBe(1);
  });

  it('ends with a public phase that was deleted, without a purchase', async () => {
    await room.carryOut(id);
    await room.runs.remove(await room.runs.read(publicId));
    expect(await room.carryOut(id)).toMatchObject({
      error: { code: 'cancelled' },
    });
    expect(await room.bodies()).toEqual([]);
  });

  it('cancels the public phase of a run that is cancelled', async () => {
    await room.carryOut(id);
    const { claim, run } = await room.claim(id);
    run.stop('cancel');
    expect(await room.runner.run(claim, run)).toMatchObject({
      status: 'cancelled',
    });
    expect((await room.reader.read(publicId))?.status).toBe('cancelled');
    expect(await room.bodies()).toEqual([]);
  });

  it('needs no admission to its model while it waits for the public phase', async () => {
    expect(await room.phases.isIdle(id)).toBe(false);
    await room.carryOut(id);
    expect(await room.phases.isIdle(id)).toBe(true);
    await room.carryOut(publicId);
    await room.carryOut(id);
    expect(await room.phases.isIdle(id)).toBe(false);
  });
});
