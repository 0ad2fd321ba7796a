import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { type Command, Redis } from 'ioredis';
import { Dispatcher } from 'undici';

/**
 * ⏎ Kills a worker at one of the steps of a run: `FAIL_POINT=before:N:STEP`, or `after:` its reply, is the Nth step whose
 * name begins with STEP. A step is a command that changes the run or its job, or a request to the upstream, from the
 * first delivery on. Work on a timer is no step, so that the same count is the same step everywhere. Logs the step on
 * stderr.
 */
const [, when, at, where] =
  /^(before|after):(\d+):(.*)$/.exec(process.env.FAIL_POINT ?? '') ?? [];

/** Sent on a timer, or to fetch the next job. */
const NO_STEPS =
  /^(invocation heartbeat|extendLocks?|moveStalledJobsToWait|moveToActive|getDelay|isMaxed)/;

/** The first step of a worker after its first delivery; of research, unless configured otherwise. */
const FIRST = process.env.FAIL_FROM ?? 'GET /v1/models';
/** Scripts whose first argument, after this many keys, names the operation. */
const OPERATED: Record<string, [name: string, keys: number]> = {
  sondeInvocation: ['invocation', 3],
  sondeAdmission: ['admission', 3],
  sondeCooldown: ['cooldown', 1],
};

const scripts = new Map<string, string>();
let count = 0;
let armed = false;

function report(line: string): void {
  writeSync(2, `${line}\n`);
}

function step<T>(name: string, make: () => T): T {
  if (name === FIRST) armed = true;
  if (!armed) return make();
  const aimedAt = where !== undefined && name.startsWith(where);
  if (aimedAt) count += 1;
  const here = aimedAt && count === Number(at);
  if (here && when === 'before') die();
  const made = make();
  const after = (): void => {
    if (here && when === 'after') die();
    report(`did ${name}`);
  };
  void Promise.resolve(made).then(after, after);
  return made;
}

function die(): void {
  report(`died ${when}:${at}:${where}`);
  process.kill(process.pid, 'SIGKILL');
}

/** `zrem`, `invocation append`, `moveToFinished`; undefined for what changes no run. */
function nameOf({ name, args }: Command): string | undefined {
  if (name === 'zrem') return name;
  if (name !== 'evalsha' && name !== 'eval') return undefined;
  const script = scripts.get(String(args[0]));
  const [called, keys] = OPERATED[script ?? ''] ?? [];
  return called ? `${called} ${String(args[2 + keys!])}` : script;
}

interface Commands {
  defineCommand: (
    this: Redis,
    name: string,
    definition: { lua: string },
  ) => void;
  sendCommand: (this: Redis, command: Command, stream?: unknown) => unknown;
}

const commands = Redis.prototype as unknown as Commands;
const { defineCommand, sendCommand } = commands;

commands.defineCommand = function (name, definition) {
  const sha = createHash('sha1').update(definition.lua).digest('hex');
  scripts.set(sha, name.split(':')[0]);
  defineCommand.call(this, name, definition);
};

commands.sendCommand = function (command, stream) {
  const send = (): unknown => sendCommand.call(this, command, stream);
  const name = nameOf(command);
  return name === undefined || NO_STEPS.test(name) ? send() : step(name, send);
};

interface Upstream {
  request: (this: Dispatcher, options: Dispatcher.RequestOptions) => unknown;
}

const upstream = Dispatcher.prototype as unknown as Upstream;
const { request } = upstream;

upstream.request = function (options) {
  return step(`${options.method} ${options.path}`, () =>
    request.call(this, options),
  );
};
