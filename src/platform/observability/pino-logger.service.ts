import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';
import { describeError } from './describe-error';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** The contexts in which Nest logs modules and routes at the start. */
const BOOT = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/**
 * The logger behind `new Logger(context)` in every room. A message is a text, an error, or an object of fields, whose
 * `err` may be an error.
 */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly root: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    const isBoot = BOOT.has(String(rest.at(-1)));
    this.write(isBoot ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    // Nest also throws what it logs in this context, e.g. a failure to listen.
    const isThrown = rest.at(-1) === 'NestApplication';
    this.write(isThrown ? 'debug' : 'error', message, rest);
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
