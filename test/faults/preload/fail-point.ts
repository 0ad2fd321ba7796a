import { createHash } from 'node:crypto';
import { type Command, Redis } from 'ioredis';
import { Dispatcher, Pool } from 'undici';
import { report } from './report';

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
  /^(invocation heartbeat|admission admissible|extendLocks?|moveStalledJobsToWait|moveToActive|getDelay|isMaxed)/;

/** The first step of a worker after its first delivery; of research, unless configured otherwise. */
const FIRST = process.env.FAIL_FROM ?? 'GET /v1/models';
/** Scripts whose first argument, after their keys, names the operation. */
const OPERATED: Record<string, string> = {
  sondeInvocation: 'invocation',
  sondeAdmission: 'admission',
  sondeCooldown: 'cooldown',
};

const scripts = new Map<string, string>();
let count = 0;
let armed = false;

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
  const called = OPERATED[script ?? ''];
  return called ? `${called} ${String(args[2 + Number(args[1])])}` : script;
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

type Request = (
  this: Dispatcher,
  options: Dispatcher.RequestOptions,
) => unknown;
type Dispatch = (
  this: Dispatcher,
  options: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
) => boolean;

const streams = Dispatcher.prototype as unknown as { request: Request };
// An agent dispatches through its pools.
const wholes = Pool.prototype as unknown as { dispatch: Dispatch };
const { request } = streams;
const { dispatch } = wholes;
/** A request dispatches at once. */
let requesting = false;

/** Its step ends with the head of the reply. */
streams.request = function (options) {
  return step(`${options.method} ${options.path}`, () => {
    requesting = true;
    try {
      return request.call(this, options);
    } finally {
      requesting = false;
    }
  });
};

/** Its step ends with the whole reply, before the caller gets it. */
wholes.dispatch = function (options, handler) {
  if (requesting) return dispatch.call(this, options, handler);
  let isSent = false;
  void step(
    `${options.method} ${options.path}`,
    () =>
      new Promise<void>((ended) => {
        isSent = dispatch.call(this, options, reporting(handler, ended));
      }),
  );
  return isSent;
};

/** The last call of a handler; an agent hands on one in the form of earlier versions of undici. */
const ENDS = new Set<string | symbol>([
  'onResponseEnd',
  'onResponseError',
  'onComplete',
  'onError',
]);

function reporting(
  handler: Dispatcher.DispatchHandler,
  ended: () => void,
): Dispatcher.DispatchHandler {
  return new Proxy(handler, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (ENDS.has(name)) ended();
        return Reflect.apply(value, target, args);
      };
    },
  });
}
