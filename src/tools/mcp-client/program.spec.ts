import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpStand, program } from '../../../test/support/mcp/mcp-stand';
import { until } from '../../../test/support/until';
import { START } from './mcp-connection';

const file = join(__dirname, '../../../test/support/mcp/mcp-program.ts');
const done = [{ type: 'text', text: 'Done' }];
const lost = {
  code: 'TOOL_INTERRUPTED',
  message: expect.stringContaining('unknown whether'),
};
const late = {
  code: 'TOOL_TIMEOUT',
  message: 'The tool did not respond in time.',
};
const tooLarge = {
  code: 'RESULT_TOO_LARGE',
  message: 'The result of the tool is over the size limit.',
};

describe('a program that does not answer', () => {
  it('does not hold up the start, and has its tools once it answers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-mcp-'));
    const go = join(folder, 'go');
    const script = `while [ ! -e "$0" ]; do sleep 0.1; done; exec "$1" "$2"`;
    const args = ['-c', script, go, process.execPath, file];
    const { waitMs } = START;
    START.waitMs = 100;
    const stand = await McpStand.start(
      program('sh', args, { connectTimeoutMs: 600_000 }),
    ).finally(() => (START.waitMs = waitMs));
    try {
      expect(stand.names).not.toContain('here__pid');
      expect(stand.lines).toContain(
        'does not answer yet; its tools come once it does',
      );
      writeFileSync(go, '');
      await until('its tools', (saw) => saw(stand.names).includes('here__pid'));
      expect(await stand.run('here__babble')).toEqual(done);
    } finally {
      await stand.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a program that breaks its calls', () => {
  let stand: McpStand;

  beforeEach(async () => {
    stand = await McpStand.start(program(process.execPath, [file]));
  });

  afterEach(() => stand.close());

  it('interrupts a call by exiting, and is restarted', async () => {
    const before = await stand.run('here__pid');
    expect(await stand.run('here__die')).toEqual(lost);
    const after = await stand.run('here__pid');
    expect(after).toEqual([{ type: 'text', text: expect.any(String) }]);
    expect(after).not.toEqual(before);
  });

  it('is restarted after a message that is too large', async () => {
    expect(await stand.run('here__shout')).toEqual(tooLarge);
    expect(await stand.run('here__babble')).toEqual(done);
    expect(stand.lines).toContain('connection lost (MESSAGE_TOO_LARGE)');
  }, 180_000);

  it('may write anything to its outputs', async () => {
    expect(await stand.run('here__babble')).toEqual(done);
    expect(stand.lines.join('\n')).not.toContain('secret-words');
  });

  it('may report more progress than is read', async () => {
    const steps: object[] = [];
    const progress = (step: object) => steps.push(step);
    expect(await stand.run('here__flood', {}, { progress })).toEqual(done);
    expect(steps.length).toBeGreaterThan(1_000);
  });

  it('is listed less often than it reports changes', async () => {
    expect(await stand.run('here__announce')).toEqual(done);
    for (let calls = 0; calls < 100; calls++) await stand.run('here__pid');
    const [{ text }] = (await stand.run('here__lists')) as { text: string }[];
    expect(Number(text)).toBeLessThan(50);
  });
});

describe('a program that does not respond', () => {
  it('keeps running if it still responds to other calls', async () => {
    const stand = await McpStand.start(
      program(process.execPath, [file], { timeoutMs: 2_000 }),
    );
    const pid = await pidOf(stand);
    expect(await stand.run('here__hang')).toEqual(late);
    expect(await pidOf(stand)).toBe(pid);
    await stand.close();
  });

  it('is killed if it is unresponsive, and restarted', async () => {
    const stand = await McpStand.start(
      program(process.execPath, [file], {
        timeoutMs: 2_000,
        connectTimeoutMs: 6_000,
      }),
    );
    try {
      const pid = await pidOf(stand);
      expect(await stand.run('here__stand_still')).toMatchObject({
        code: 'TOOL_TIMEOUT',
      });
      await until('the program to be killed', () => !isAlive(pid));
      await until(
        'the program to be started again',
        (saw) => saw(stand.servers.states())[0].connected,
      );
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
  }, 180_000);

  it('is reported as unavailable if the program does not exist', async () => {
    const stand = await McpStand.start(program('/no/such/program', []));
    expect(stand.names).toEqual([]);
    expect(stand.lines).toContain('cannot be reached (ENOENT)');
    await stand.close();
  });
});

/** Asked again where this process was held up for longer than a call may take. */
async function pidOf(stand: McpStand): Promise<number> {
  const [{ text }] = await until('the program to say its pid', async (saw) => {
    const said = saw(await stand.run('here__pid'));
    return Array.isArray(said) && (said as { text: string }[]);
  });
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
