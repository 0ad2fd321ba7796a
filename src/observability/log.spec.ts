import { Logger } from '@nestjs/common';
import { AppError } from '../errors';
import { createLog } from './log';
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
