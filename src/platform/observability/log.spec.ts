import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { AppError } from '../errors';
import { createLog, FLUSH_AFTER_MS, inBatches } from './log';
import { PinoLoggerService } from './pino-logger.service';

describe(PinoLoggerService.name, () => {
  let lines: Record<string, unknown>[];

  beforeEach(() => {
    lines = [];
    const write = (line: string): void => {
      lines.push(JSON.parse(line) as Record<string, unknown>);
    };
    Logger.overrideLogger(new PinoLoggerService(createLog('debug', { write })));
  });

  afterEach(() => Logger.overrideLogger(false));

  it('writes a text or fields as one line with its context', () => {
    new Logger('http').log({ status: 200 });
    new Logger('http').warn('slow');
    expect(lines).toMatchObject([
      { level: 'info', context: 'http', status: 200 },
      { level: 'warn', context: 'http', msg: 'slow' },
    ]);
  });

  it('logs the startup messages of Nest at debug', () => {
    new Logger('RoutesResolver').log('mapped');
    expect(lines).toMatchObject([{ level: 'debug' }]);
  });

  it('redacts credentials wherever headers are logged', () => {
    const headers = { authorization: 'Bearer sk', 'x-invocation-token': 'ivt' };
    new Logger('http').log({ headers, ...headers, request: { headers } });
    expect(JSON.stringify(lines)).not.toMatch(/Bearer sk|"ivt"/);
  });

  it('includes the stack of our own bugs only', () => {
    const log = new Logger('http');
    log.error({ request_id: 'r', err: new TypeError('bug') });
    log.error(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    log.error(
      new AppError('upstream_error', 'Failed.', { cause: new Error('why') }),
    );
    expect(lines).toMatchObject([
      { request_id: 'r', err: { type: 'TypeError', message: 'bug' } },
      { err: { code: 'ECONNREFUSED' } },
      { err: { code: 'upstream_error', cause: { message: 'why' } } },
    ]);
    const stacks = lines.map(({ err }) => 'stack' in (err as object));
    expect(stacks).toEqual([true, false, false]);
  });
});

describe(inBatches.name, () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'log-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('writes what was logged during a slow write, without a further line', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const reader = new Socket({ fd: reading });
    const log = createLog('info', inBatches(openSync(path, 'w')));

    log.info('longer than a pipe holds'.repeat(10_000));
    log.info('the last line');
    // Its flush was due before: timers of the same delay fire in their order.
    await setTimeout(FLUSH_AFTER_MS);
    let text = '';
    for await (const chunk of reader) {
      text += String(chunk);
      if (text.includes('the last line')) break;
    }
    expect(text.trim().split('\n')).toHaveLength(2);
  });
});
