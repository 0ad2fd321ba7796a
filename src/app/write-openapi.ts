import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiModule } from './api.module';
import { loadConfig } from '../config/load-config';
import { buildOpenApiDocument } from './openapi-document';

/** npm runs its scripts at the root of the project. */
const FILE = join(process.cwd(), 'openapi.json');

/** Writes the contract, or fails with `--check` if the committed one differs. Connects to nothing. */
async function main(): Promise<void> {
  // In preview mode no provider is created, so no connection is opened; routes and types are complete.
  const app = await NestFactory.create(
    ApiModule.forRoot(loadConfig({})),
    new FastifyAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  const document = `${JSON.stringify(sorted(buildOpenApiDocument(app)), null, 2)}\n`;
  if (!process.argv.includes('--check')) return writeFileSync(FILE, document);
  const committed = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  if (committed === document) return;
  process.stderr.write(
    'openapi.json is out of date. Run `npm run build && npm run openapi` and commit it.\n',
  );
  process.exitCode = 1;
}

/** Sorted by name, so that moving a controller changes nothing. */
function sorted(document: OpenAPIObject): OpenAPIObject {
  return {
    ...document,
    paths: byName(document.paths),
    components: {
      ...document.components,
      schemas: byName(document.components?.schemas ?? {}),
    },
  };
}

function byName<T>(values: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

void main();
