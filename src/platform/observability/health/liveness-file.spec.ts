import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepLivenessFile } from './liveness-file';

describe(keepLivenessFile.name, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-spec-'));
  const file = join(folder, 'alive');
  let stop = (): void => undefined;
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    stop();
    jest.useRealTimers();
    rmSync(file, { force: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes the file only while the process is healthy', () => {
    let well = false;
    stop = keepLivenessFile(file, () => well);
    jest.advanceTimersByTime(30_000);
    expect(existsSync(file)).toBe(false);
    well = true;
    jest.advanceTimersByTime(5_000);
    const first = readFileSync(file, 'utf8');
    jest.advanceTimersByTime(5_000);
    const second = readFileSync(file, 'utf8');
    expect(Date.parse(second) - Date.parse(first)).toBe(5_000);
    well = false;
    jest.advanceTimersByTime(60_000);
    expect(readFileSync(file, 'utf8')).toBe(second);
  });

  it('writes nothing after it was stopped', () => {
    stop = keepLivenessFile(file, () => true);
    stop();
    rmSync(file);
    jest.advanceTimersByTime(60_000);
    expect(existsSync(file)).toBe(false);
  });
});
