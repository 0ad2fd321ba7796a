import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvFile } from './env-file';
import { Environment } from './environment';
import { readJsonFile, texts } from './files/json-file';

const MARK = '\uFEFF';

describe('a file of the operator that begins with a byte order mark', () => {
  let folder: string;
  const before = { ...process.env };

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'env-'))));
  afterEach(() => {
    process.env = { ...before };
    rmSync(folder, { recursive: true });
  });

  it('sets the variable of its first line, and none that is set already', () => {
    const path = join(folder, '.env');
    writeFileSync(path, `${MARK}FIRST="a b"\nSECOND=2\n# THIRD=3\n`);
    process.env = { RELAY_ENV_FILE: path, SECOND: 'mine' };
    expect(readEnvFile()).toBe(path);
    const { FIRST, SECOND, THIRD } = process.env;
    expect([FIRST, SECOND, THIRD]).toEqual(['a b', 'mine', undefined]);
  });

  it('is read as JSON', () => {
    const path = join(folder, 'names.json');
    writeFileSync(path, `${MARK}["a"]`);
    const env = new Environment({ NAMES: path });
    const fail = (fault: string): never => {
      throw new Error(fault);
    };
    expect(readJsonFile(env, 'NAMES', texts, fail)).toEqual(['a']);
  });
});
