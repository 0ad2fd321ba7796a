import { parseArgs } from 'node:util';
import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '../config/config';
import { ConfigError } from '../config/environment';
import { readStartConfig } from '../config/start-config';
import { CHECKUPS, DoctorModule } from './doctor.module';
import { examine } from './doctor.report';
import { ModelsCheckup } from '../research/models.checkup';
import { embeddedData, findEmbeddedRedis } from '../redis/embedded-redis';

/** The model endpoint need not be configured: only its models are looked at, and then not. */
const NO_UPSTREAM = 'http://127.0.0.1:9/v1';

/** Looks for what crashes and mistakes have left behind; with `--fix` it puts it right. Exits with 0 if all is well. */
async function main(): Promise<boolean> {
  const { fix } = readFlags();
  const { config: given, envFile, warnings } = readStartConfig();
  if (envFile !== undefined) print(`Settings are read from ${envFile}`);
  warnings.forEach(print);
  const config = await withParts(given);
  const app = await NestFactory.createApplicationContext(
    DoctorModule.forRoot(config),
    { logger: false, abortOnError: false },
  );
  const checkups = CHECKUPS.filter(
    (checkup) => checkup !== ModelsCheckup || given.upstream.baseUrl,
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

async function withParts(given: AppConfig): Promise<AppConfig> {
  const folder = embeddedData(given.dataDir);
  const redis = given.redis ?? (await findEmbeddedRedis(folder));
  if (redis === undefined)
    throw new ConfigError(
      `REDIS_URL is not set, and no service of this user is running on the data in ${folder}.`,
    );
  const { baseUrl = NO_UPSTREAM } = given.upstream;
  const upstream = Object.freeze({ ...given.upstream, baseUrl });
  return Object.freeze(Object.assign({}, given, { redis, upstream }));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().then(
  // Connections that wait for a Redis that is away would keep the process.
  (well) => process.exit(well ? 0 : 1),
  (fault: unknown) => {
    const { message, stack } = fault as Error;
    process.stderr.write(`${fault instanceof ConfigError ? message : stack}\n`);
    process.exit(1);
  },
);
