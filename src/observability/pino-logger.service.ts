import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';
import { describeError } from './describe-error';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Who tells at the start which modules and routes there are. */
const BOOT = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/**
 * What `new Logger(context)` of every room writes to. A message is a text, an error, or an object of fields, in which
 * `err` may be an error.
 */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly root: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    const boot = BOOT.has(String(rest.at(-1)));
    this.write(boot ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    // What the application cannot do, e.g. listen, it throws as well.
    const thrown = rest.at(-1) === 'NestApplication';
    this.write(thrown ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest appends the context, and for its own errors puts the stack before it. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    if (!this.root.isLevelEnabled(level)) return;
    const context = rest.length > 0 ? rest.at(-1) : undefined;
    if (message instanceof Error) {
      this.root[level]({ context, err: describeError(message) });
    } else if (typeof message === 'object' && message !== null) {
      this.root[level](
        'err' in message
          ? { context, ...message, err: describeError(message.err) }
          : { context, ...message },
      );
    } else {
      const stack = rest.length > 1 ? rest[0] : undefined;
      this.root[level]({ context, stack }, String(message));
    }
  }
}
