import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';

const DOCTOR = join(__dirname, '../../../dist/src/app/doctor.js');

describe('the settings of a process', () => {
  let folder: string;
  let here: string;
  let home: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-settings-'));
    here = join(folder, 'here');
    home = join(folder, 'home');
    mkdirSync(here);
    mkdirSync(home);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What the doctor prints in `here`: the settings file first, and last that the given data folder has no Redis. */
  const receivedText = (env: Record<string, string> = {}) => {
    const { stdout, stderr } = spawnSync(process.execPath, [DOCTOR], {
      cwd: here,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      encoding: 'utf8',
    });
    return {
      read: /^Settings are read from (.+)$/m.exec(stdout)?.[1],
      data: /running on the data in (.+)\/redis\.$/m.exec(stderr)?.[1],
      stderr,
    };
  };
  const write = (path: string, data: string) =>
    writeFileSync(path, `RELAY_DATA_DIR=${data}\n`);

  it('come from ./.env', () => {
    write(join(here, '.env'), 'from-here');
    write(join(home, '.env'), 'from-home');
    expect(receivedText()).toMatchObject({ read: '.env', data: 'from-here' });
  });

  it('come from ~/.env if there is no ./.env', () => {
    const path = join(home, '.env');
    write(path, 'from-home');
    expect(receivedText()).toMatchObject({ read: path, data: 'from-home' });
    mkdirSync(join(here, '.env'));
    expect(receivedText()).toMatchObject({ read: path, data: 'from-home' });
  });

  it('come from the named file, or from none', () => {
    const path = join(folder, 'mine');
    write(join(here, '.env'), 'from-here');
    write(path, 'mine');
    const named = receivedText({ RELAY_ENV_FILE: path });
    expect(named).toMatchObject({ read: path, data: 'mine' });
    const none = receivedText({ RELAY_ENV_FILE: 'none' });
    expect(none).toMatchObject({ read: undefined, data: 'data' });
    expect(receivedText({ RELAY_ENV_FILE: 'nowhere' }).stderr).toMatch(
      /^RELAY_ENV_FILE names a file that does not exist\. Example: .+\n$/,
    );
  });

  it('come from the environment before any file', () => {
    write(join(here, '.env'), 'from-here');
    const { data } = receivedText({ RELAY_DATA_DIR: 'from-process' });
    expect(data).toBe('from-process');
  });

  it('require neither a file nor a home', () => {
    expect(receivedText({ HOME: '' })).toMatchObject({
      read: undefined,
      data: 'data',
    });
  });
});

describe('a misspelt setting', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await Stand.start({ apis: 0, workers: 0 });
  });
  afterAll(() => stand.stop());

  it('is reported at the start with the intended name and without its value', async () => {
    const service = await Service.start('main', {
      ...stand.env,
      RELAY_APIKEYS: 's3cret',
      OPENAI_BASE_URL: 'https://s3cret.example',
    });
    expect(service.output).toMatch(
      /"level":"warn".*RELAY_APIKEYS is not a variable of Sonde; did you mean RELAY_API_KEYS\?/,
    );
    expect(service.output).not.toContain('s3cret');
    expect(service.output).not.toContain('OPENAI_BASE_URL');
    await service.stop('SIGKILL');
  });

  it.each(['main', 'worker'] as const)(
    'stops the start of %s where it would leave a tool enabled',
    async (entry) => {
      const service = Service.spawn(entry, {
        ...stand.env,
        RELAY_TOOLS_OFF: 'get_*,deep_reserch',
      });
      expect(await service.end()).toBe(1);
      expect(service.output).toMatch(
        /^RELAY_TOOLS_OFF names "deep_reserch", which is not a tool\. Example: deep_research$/m,
      );
    },
  );
});
