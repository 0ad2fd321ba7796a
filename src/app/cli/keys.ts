import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { ConfigError } from '../../config/environment';
import { readStartConfig } from '../../config/start-config';
import { AppError } from '../../platform/errors';
import {
  CreateKeyDto,
  expiryIn,
  keyChange,
  RevokeKeyDto,
  RotateKeyDto,
  toIssuedDto,
  toKeyDto,
  UpdateKeyDto,
} from '../../tenants/keys/http/key.dto';
import { KeyAdmin } from '../../tenants/keys/key-admin';
import { faultOf } from '../../platform/redis/state/redis-faults';
import { toDto } from '../../platform/http/validation/dto-check';
import { installedRedis } from './installed-redis';
import { SETTING_FLAGS, settingsIn, unlessNone } from './settings-flags';
import { KeysCommandModule } from './keys-command.module';

const USAGE = `Usage: npm run keys -- create NAME --scopes chat,read [--expires 2027-01-01T00:00:00Z] [SETTINGS]
       npm run keys -- update ID [--scopes chat,read] [--expires 2027-01-01T00:00:00Z|none] [SETTINGS]
       npm run keys -- list
       npm run keys -- rotate ID [--overlap SECONDS]
       npm run keys -- revoke ID [--runs finish|cancel]
SETTINGS: --limits requests_per_minute:600,unfinished_runs:50 --budget day_usd:5,month_usd:100 --weight 1 --retention SECONDS
--precedence true,
with "none" as a value to remove a setting`;

type Command = (admin: KeyAdmin, by: string) => Promise<object>;

/**
 * Makes and changes API keys in Redis itself: it makes the first key with the scope `admin`, and works while no API
 * process runs. Prints JSON; whoever can reach Redis may do this anyway.
 */
async function main(): Promise<void> {
  const command = await readCommand();
  const { config, warnings } = readStartConfig();
  warnings.forEach(note);
  const redis = await installedRedis(config);
  const app = await NestFactory.createApplicationContext(
    KeysCommandModule.forRoot(
      Object.freeze(Object.assign({}, config, { redis })),
    ),
    { logger: false, abortOnError: false },
  );
  const by = `cli:${userInfo().username}`;
  const reply = await command(app.get(KeyAdmin), by);
  process.stdout.write(`${JSON.stringify(reply, null, 2)}\n`);
  if (!config.auth.required)
    note('The service requires no keys yet: set RELAY_REQUIRE_KEYS=true.');
}

async function readCommand(): Promise<Command> {
  const { positionals, values } = readArguments();
  const [verb, subject, ...rest] = positionals;
  const { overlap, runs } = values;
  if (rest.length > 0 || (verb === 'list') !== (subject === undefined))
    throw new ConfigError(USAGE);
  switch (verb) {
    case 'create': {
      const given = await checked(CreateKeyDto, {
        name: subject,
        scopes: values.scopes?.split(',') ?? [],
        expires_at: values.expires,
        ...settingsIn(values),
      });
      return async (admin, by) => {
        const expiresMs = expiryIn(given, admin.now());
        const { name, scopes } = given;
        const issued = await admin.create(
          { name, scopes, expiresMs, settings: given },
          by,
        );
        return toIssuedDto(issued, admin.now());
      };
    }
    case 'update': {
      const given = await checked(UpdateKeyDto, {
        ...(values.scopes && { scopes: values.scopes.split(',') }),
        ...(values.expires && { expires_at: unlessNone(values.expires) }),
        ...settingsIn(values),
      });
      return async (admin, by) => {
        const change = keyChange(given, admin.now());
        return toKeyDto(await admin.update(subject, change, by), admin.now());
      };
    }
    case 'list':
      return async (admin) => {
        const keys = await admin.list();
        return { data: keys.map((key) => toKeyDto(key, admin.now())) };
      };
    case 'rotate': {
      const { overlap_seconds } = await checked(RotateKeyDto, {
        ...(overlap !== undefined && { overlap_seconds: Number(overlap) }),
      });
      return async (admin, by) => {
        const issued = await admin.rotate(subject, overlap_seconds * 1_000, by);
        return toIssuedDto(issued, admin.now());
      };
    }
    case 'revoke': {
      const given = await checked(RevokeKeyDto, { ...(runs && { runs }) });
      return async (admin, by) =>
        toKeyDto(await admin.revoke(subject, given.runs, by), admin.now());
    }
    default:
      throw new ConfigError(USAGE);
  }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        scopes: { type: 'string' },
        expires: { type: 'string' },
        overlap: { type: 'string' },
        runs: { type: 'string' },
        ...SETTING_FLAGS,
      },
    });
  } catch {
    throw new ConfigError(USAGE);
  }
}

/** By the rules of the API. */
async function checked<T extends object>(
  type: new () => T,
  given: object,
): Promise<T> {
  const { dto, errors } = await toDto(type, given);
  if (errors.length === 0) return dto as T;
  const faults = errors.map(({ path, message }) => `${path} ${message}`);
  throw new ConfigError(`${faults.join('\n')}\n${USAGE}`);
}

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

main().then(
  // Connections to Redis keep the process alive.
  () => process.exit(0),
  (error: unknown) => {
    const fault = faultOf(error);
    if (fault) note(`${fault.meaning}.`);
    else if (error instanceof AppError || error instanceof ConfigError)
      note([error.message, ...faultsOf(error)].join('\n'));
    else note((error as Error).stack ?? String(error));
    process.exit(1);
  },
);

function faultsOf(error: Error): string[] {
  const errors = (error instanceof AppError && error.errors) || [];
  return errors.map(({ path, message }) => `${path} ${message}`);
}
