import { format } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import type { AppConfig } from '../config/config';
import { ConfigError } from '../config/environment';
import { readStartConfig } from '../config/start-config';
import { createLog } from '../platform/observability/log';
import { PinoLoggerService } from '../platform/observability/pino-logger.service';
import { toolScope } from '../tools/tool-scope';
import { startTracing } from './tracing/process-tracing';

/** Orchestrators commonly send SIGKILL 10 s after SIGTERM. */
const SHUTDOWN_TIMEOUT_MS = 9_500;
/** A main thread that is blocked, as by a log that nobody reads, ends nothing itself. */
const KILLED_AFTER_MS = 9_900;
/** npm forwards a Ctrl-C that the terminal has already sent, so a signal within this time counts as the same one. */
const DUPLICATE_SIGNAL_MS = 500;

type Close = () => Promise<unknown>;

/** Starts a process; registers with `onShutdown` what is closed, in reverse order, when it ends. */
export type Start = (
  config: AppConfig,
  onShutdown: (close: Close) => void,
) => Promise<void>;

/**
 * Runs a process from its configuration to its last signal. SIGTERM or SIGINT closes everything and exits with 0; a
 * second signal, or `SHUTDOWN_TIMEOUT_MS`, exits at once, and a process that cannot exit is killed. A configuration error is
 * one line on stderr.
 */
export function runProcess(start: Start): void {
  const closes: Close[] = [];
  const closeAll = async (): Promise<void> => {
    for (let close = closes.pop(); close; close = closes.pop()) await close();
  };
  exitOnUncaughtErrors();
  shutDownOnSignals(closeAll);
  const run = async (): Promise<void> => {
    const { config, notices, warnings } = readStartConfig();
    Logger.overrideLogger(new PinoLoggerService(createLog(config.logLevel)));
    logConsole();
    const log = new Logger('Config');
    for (const notice of notices) log.log(notice);
    for (const warning of warnings) log.warn(warning);
    const onShutdown = (close: Close): void => void closes.push(close);
    await startTracing(config, onShutdown);
    await start(config, onShutdown);
  };
  run().catch(async (error: unknown) => {
    if (error instanceof ConfigError)
      process.stderr.write(`${error.message}\n`);
    else new Logger('process').fatal(error);
    await closeAll();
    process.exit(1);
  });
}

/** What a library prints would stand between the lines of the log. */
function logConsole(): void {
  const log = new Logger('console');
  console.warn = (...texts: unknown[]) => log.debug(format(...texts));
}

function shutDownOnSignals(closeAll: Close): void {
  let first: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    if (first !== undefined) {
      if (Date.now() - first > DUPLICATE_SIGNAL_MS) process.exit(1);
      return;
    }
    first = Date.now();
    killLater();
    const log = new Logger('process');
    log.log(`${signal}: shutting down`);
    setTimeout(() => {
      log.error('Shutdown timed out');
      process.exit(1);
    }, SHUTDOWN_TIMEOUT_MS).unref();
    closeAll().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** By a thread of its own. */
function killLater(): void {
  const guard = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${KILLED_AFTER_MS})`;
  // Without what the environment has the main thread load.
  new Worker(guard, { eval: true, env: {}, execArgv: [] }).unref();
}

/** A process in an unknown state exits; other processes take over its runs. */
function exitOnUncaughtErrors(): void {
  const exit = (error: unknown): void => {
    // An error that a tool raises outside its promise fails that call only.
    const reportToolError = toolScope.getStore();
    if (reportToolError) return reportToolError(error);
    new Logger('process').fatal(error);
    process.exit(1);
  };
  process.on('uncaughtException', exit);
  process.on('unhandledRejection', exit);
}

/** An API or a worker of its own embeds nothing: all processes share one Redis and one model endpoint. */
export function requireRedisAndUpstream({ redis, upstream }: AppConfig): void {
  if (redis === undefined)
    throw new ConfigError(
      'REDIS_URL is not set; only `npm start` embeds a Redis. Example: redis://127.0.0.1:6379',
    );
  if (upstream.baseUrl === undefined)
    throw new ConfigError(
      'LITELLM_BASE_URL is not set; only `npm start` embeds a sandbox. Example: http://127.0.0.1:4010 with `npm run sandbox`',
    );
}
