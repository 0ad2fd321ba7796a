import { type Command, Redis } from 'ioredis';
import { report } from './report';

/**
 * ⏎ Kills a worker while each of several runs is at a write of its own to its journal: `HOLD_POINTS` is a JSON object that
 * has a point for each run, by its id. `before:FIELD` holds the write of that field back, `after:FIELD` its reply; the end
 * of a run is the field `finish`, at which a run without that write is held. The worker dies once every run is held. It
 * logs all writes on stderr, in their order. The number of an attempt is left out of its field: `plan#`.
 */
const points = new Map(
  Object.entries(
    JSON.parse(process.env.HOLD_POINTS ?? '{}') as Record<string, string>,
  ),
);
const held = new Set<string>();

function hold<T>(id: string): Promise<T> {
  held.add(id);
  report(`held ${id} ${points.get(id)}`);
  if (held.size === points.size) process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

/** The run and the fields of its journal that a command writes; undefined for every other command. */
function writeOf({
  name,
  args,
}: Command): { id: string; fields: string[] } | undefined {
  if (name !== 'evalsha' && name !== 'eval') return undefined;
  const all = args.map(String);
  const at = 2 + Number(all[1]);
  const [, id] = /\{(.*)\}/.exec(all[2]) ?? [];
  if (all[at] === 'finish') return { id, fields: ['finish'] };
  if (all[at] !== 'append') return undefined;
  // After the operation: channel, fence, seq, two limits, text, events, entries.
  const entries = at + 8 + 2 * Number(all[at + 7]);
  const count = Number(all[entries]);
  const fields = Array.from({ length: count }, (_, n) =>
    all[entries + 1 + 2 * n].replace(/#\d+$/, '#'),
  );
  return { id, fields };
}

interface Commands {
  sendCommand: (this: Redis, command: Command, stream?: unknown) => unknown;
}

const commands = Redis.prototype as unknown as Commands;
const { sendCommand } = commands;

commands.sendCommand = function (command, stream) {
  const write = writeOf(command);
  if (!write) return sendCommand.call(this, command, stream);
  const { id, fields } = write;
  // A starved worker may lose the lease of a run that is held, and take it over itself.
  if (held.has(id)) return new Promise(() => undefined);
  const point = points.get(id);
  const isAt = (when: string): boolean =>
    fields.some((field) => point === `${when}:${field}`);
  const isOver = fields.includes('finish') && points.has(id);
  if (isAt('before') || (isOver && !isAt('after'))) return hold(id);
  const reply = Promise.resolve(sendCommand.call(this, command, stream));
  const wrote = reply.then((value) => {
    for (const field of fields) report(`wrote ${id} ${field}`);
    return isAt('after') ? hold(id) : value;
  });
  return wrote;
};
