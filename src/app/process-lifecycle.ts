import { Logger } from '@nestjs/common';
import type { AppConfig } from '../config/config';
import { ConfigError } from '../config/environment';
import { readStartConfig } from '../config/start-config';
import { createLog } from '../observability/log';
import { PinoLoggerService } from '../observability/pino-logger.service';
import { toolScope } from '../tools/tool.scope';

/** Most orchestrators kill after 10 s. */
const CLOSE_LIMIT_MS = 9_500;
/** npm passes on a Ctrl-C that the terminal has already sent: a twin is no second signal. */
const TWIN_MS = 500;

type Close = () => Promise<unknown>;

/** What a process is: it starts, and gives what is to be closed, in reverse order, when it ends. */
export type Start = (
  config: AppConfig,
  atEnd: (close: Close) => void,
) => Promise<void>;

/**
 * Runs a process from its configuration to its last signal. SIGTERM or SIGINT closes everything and exits with 0;
 * a second one, or `CLOSE_LIMIT_MS`, exits at once. A fault of the configuration is one line on stderr.
 */
export function runProcess(start: Start): void {
  const closes: Close[] = [];
  const closeAll = async (): Promise<void> => {
    for (let close = closes.pop(); close; close = closes.pop()) await close();
  };
  dieOfTheUnexpected();
  endOnSignals(closeAll);
  const run = async (): Promise<void> => {
    const { config, envFile, warnings } = readStartConfig();
    Logger.overrideLogger(new PinoLoggerService(createLog(config.logLevel)));
    const log = new Logger('Config');
    if (envFile !== undefined) log.log(`Settings are read from ${envFile}`);
    for (const warning of warnings) log.warn(warning);
    await start(config, (close) => closes.push(close));
  };
  run().catch(async (fault: unknown) => {
    if (fault instanceof ConfigError)
      process.stderr.write(`${fault.message}\n`);
    else new Logger('process').fatal(fault);
    await closeAll();
    process.exit(1);
  });
}

function endOnSignals(closeAll: Close): void {
  let first: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    if (first !== undefined) {
      if (Date.now() - first > TWIN_MS) process.exit(1);
      return;
    }
    first = Date.now();
    const log = new Logger('process');
    log.log(`${signal}: closing`);
    setTimeout(() => {
      log.error('Could not close in time');
      process.exit(1);
    }, CLOSE_LIMIT_MS).unref();
    closeAll().then(
      () => process.exit(0),
      (fault: unknown) => {
        log.error(fault);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** A process in an unknown state does not go on: its runs are taken over by others. */
function dieOfTheUnexpected(): void {
  const die = (fault: unknown): void => {
    // A tool that fails where nobody waits for it does no harm beyond its own call.
    const toldOfTool = toolScope.getStore();
    if (toldOfTool) return toldOfTool(fault);
    new Logger('process').fatal(fault);
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}
