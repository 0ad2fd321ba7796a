import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const RECORD = join(__dirname, '../../../clients/contract/record.mjs');

describe('the contract cases of the clients', () => {
  it('contain no field that the service does not return for the same requests', async () => {
    // Prints the case and the field of each difference, and exits with 1 if there are any.
    const checked = promisify(execFile)(process.execPath, [RECORD, '--check']);
    const receivedText = await checked.then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { stdout: string; stderr: string }) =>
        stdout + stderr,
    );
    expect(receivedText).toMatch(/^\d+ cases\n$/);
  });
});
