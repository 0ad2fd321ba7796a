import { join } from 'node:path';
import { McpStand, program } from '../../test/support/mcp/mcp-stand';
import { until } from '../../test/support/until';

const file = join(__dirname, '../../test/support/mcp/mcp-program.ts');
const done = [{ type: 'text', text: 'Done' }];
const lost = {
  code: 'TOOL_INTERRUPTED',
  message: expect.stringContaining('not known'),
};
const late = {
  code: 'TOOL_TIMEOUT',
  message: 'The tool did not answer in time.',
};
const tooLarge = {
  code: 'RESULT_TOO_LARGE',
  message: 'The tool returned more than is taken.',
};

describe('a program that breaks its calls', () => {
  let stand: McpStand;

  beforeEach(async () => {
    stand = await McpStand.start(program(process.execPath, [file]));
  });

  afterEach(() => stand.close());

  it('interrupts a call by ending, and is started again', async () => {
    const before = await stand.run('here__pid');
    expect(await stand.run('here__die')).toEqual(lost);
    const after = await stand.run('here__pid');
    expect(after).toEqual([{ type: 'text', text: expect.any(String) }]);
    expect(after).not.toEqual(before);
  });

  it('is started again after a message that is too large', async () => {
    expect(await stand.run('here__shout')).toEqual(tooLarge);
    expect(await stand.run('here__babble')).toEqual(done);
    expect(stand.lines).toContain('was lost (MESSAGE_TOO_LARGE)');
  });

  it('may write what it likes to its outputs', async () => {
    expect(await stand.run('here__babble')).toEqual(done);
    expect(stand.lines.join('\n')).not.toContain('secret-words');
  });

  it('may tell of more progress than anybody reads', async () => {
    const steps: object[] = [];
    const progress = (step: object) => steps.push(step);
    expect(await stand.run('here__flood', {}, { progress })).toEqual(done);
    expect(steps.length).toBeGreaterThan(1_000);
  });

  it('is not asked for its tools as often as it says that they have changed', async () => {
    expect(await stand.run('here__announce')).toEqual(done);
    for (let calls = 0; calls < 100; calls++) await stand.run('here__pid');
    const [{ text }] = (await stand.run('here__lists')) as { text: string }[];
    expect(Number(text)).toBeLessThan(50);
  });
});

describe('a program that does not answer', () => {
  it('goes on if it still answers others', async () => {
    const stand = await McpStand.start(
      program(process.execPath, [file], { timeoutMs: 2_000 }),
    );
    const pid = await pidOf(stand);
    expect(await stand.run('here__hang')).toEqual(late);
    expect(await pidOf(stand)).toBe(pid);
    await stand.close();
  });

  it('is killed if it stands still, and started again', async () => {
    const stand = await McpStand.start(
      program(process.execPath, [file], {
        timeoutMs: 2_000,
        connectTimeoutMs: 3_000,
      }),
    );
    try {
      const pid = await pidOf(stand);
      expect(await stand.run('here__stand_still')).toMatchObject({
        code: 'TOOL_TIMEOUT',
      });
      await until(async () => !isAlive(pid));
      await until(async () => stand.servers.states()[0].connected);
      const next = await pidOf(stand);
      expect(next).not.toBe(pid);
      const still = stand.run('here__stand_still');
      await stand.close();
      expect(await still).toEqual(
        expect.objectContaining({ code: expect.any(String) }),
      );
      expect(isAlive(next)).toBe(false);
    } finally {
      await stand.close();
    }
  }, 60_000);

  it('cannot be started if there is no such program', async () => {
    const stand = await McpStand.start(program('/no/such/program', []));
    expect(stand.names).toEqual([]);
    expect(stand.lines).toContain('cannot be reached (ENOENT)');
    await stand.close();
  });
});

async function pidOf(stand: McpStand): Promise<number> {
  const [{ text }] = (await stand.run('here__pid')) as { text: string }[];
  return Number(text);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
