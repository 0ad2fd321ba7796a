import { parseArgs } from 'node:util';
import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '../config/config';
import { ConfigError } from '../config/environment';
import { readStartConfig } from '../config/start-config';
import { installedRedis } from './cli/installed-redis';
import { CHECKUPS, DoctorModule } from './doctor.module';
import { examine } from './doctor-report';
import { ModelsCheckup } from '../research/models-checkup';

/** A placeholder: without a configured model endpoint its checkup is left out. */
const NO_UPSTREAM = 'http://127.0.0.1:9/v1';

/**
 * Finds what crashes and mistakes have left behind, and repairs it with `--fix`. Exits with 0 if nothing is left to do.
 */
async function main(): Promise<boolean> {
  const { fix } = readFlags();
  const { config: configured, notices, warnings } = readStartConfig();
  notices.forEach(print);
  warnings.forEach(print);
  const config = await complete(configured);
  const app = await NestFactory.createApplicationContext(
    DoctorModule.forRoot(config),
    { logger: false, abortOnError: false },
  );
  const checkups = CHECKUPS.filter(
    (checkup) => checkup !== ModelsCheckup || configured.upstream.baseUrl,
  ).map((checkup) => app.get(checkup));
  return examine(checkups, { fix, print });
}

function readFlags(): { fix: boolean } {
  try {
    return parseArgs({
      options: { fix: { type: 'boolean', default: false } },
    }).values;
  } catch {
    throw new ConfigError('Usage: npm run doctor [-- --fix]');
  }
}

async function complete(configured: AppConfig): Promise<AppConfig> {
  const redis = await installedRedis(configured);
  const { baseUrl = NO_UPSTREAM } = configured.upstream;
  const upstream = Object.freeze({ ...configured.upstream, baseUrl });
  return Object.freeze(Object.assign({}, configured, { redis, upstream }));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

// A reader of its first lines alone (`| head`) ends no repair.
process.stdout.on('error', () => undefined);
// Its output is the report, without what a library has to say.
console.warn = () => undefined;

main().then(
  // Connections that wait for an unavailable Redis would keep the process alive.
  (healthy) => process.exit(healthy ? 0 : 1),
  (error: unknown) => {
    const { message, stack } = error as Error;
    process.stderr.write(`${error instanceof ConfigError ? message : stack}\n`);
    process.exit(1);
  },
);
