import { usageError } from './usage-error.js';

export const COMMANDS = [
  'get',
  'attach',
  'cancel',
  'plan',
  'continue',
  'list',
] as const;
export type Command = (typeof COMMANDS)[number];

/** Flags that apply to a prompt and not to an existing run, except `--stream` for those that are followed. */
const PROMPT_FLAGS = [
  '--target',
  '--api',
  '--background',
  '--web-search',
  '--auto-tool-call',
  '--stream',
  '--deliverable-format',
  '--system-prompt',
  '--context',
  '--plan',
];
const DECISIONS = ['--approve', '--edit', '--refuse'];
const FOLLOWED: Command[] = ['attach', 'plan', 'continue'];
/** Flags that apply to one command only. */
export const COMMAND_FLAGS: Record<string, Command> = {
  '--approve': 'plan',
  '--edit': 'plan',
  '--refuse': 'plan',
  '--reason': 'plan',
  '--budget': 'continue',
};
const LIMIT =
  /^(max_(?:cost_usd|searches|pages|tokens|seconds))=([0-9]{1,9}(?:\.[0-9]{1,9})?)$/;

export function isCommand(word: string): word is Command {
  return (COMMANDS as readonly string[]).includes(word);
}

/** Checks the words and the flags of a command. */
export function checkCommand(
  command: Command,
  names: ReadonlySet<string>,
  words: readonly string[],
): void {
  for (const name of [...PROMPT_FLAGS, ...Object.keys(COMMAND_FLAGS)]) {
    const isStream = name === '--stream' && FOLLOWED.includes(command);
    if (names.has(name) && !isStream && COMMAND_FLAGS[name] !== command)
      usageError(`${name} cannot be used with ${command}`);
  }
  const quoted = `a prompt that begins with "${command}" must be quoted`;
  if (command === 'list') {
    if (words.length > 0) usageError(`list takes no arguments; ${quoted}`);
    return;
  }
  if (words.length === 0) usageError(`${command} requires a run id`);
  if (words.length > 1) usageError(`${command} takes one id; ${quoted}`);
  const [id = ''] = words;
  const ofResearch = command === 'plan' || command === 'continue';
  const isOther = ofResearch && id.startsWith('chat_');
  if (isOther || !/^[A-Za-z0-9_-]{1,200}$/.test(id))
    usageError(`${command}: not a run id: "${id}"`);
  if (command === 'plan') checkDecision(names);
  if (command === 'continue' && !names.has('--budget'))
    usageError('continue requires --budget, e.g. --budget max_pages=10');
}

function checkDecision(names: ReadonlySet<string>): void {
  const given = DECISIONS.filter((name) => names.has(name));
  if (given.length > 1)
    usageError('--approve, --edit and --refuse are mutually exclusive');
  if (names.has('--reason') && given.length === 0)
    usageError('--reason requires --approve, --edit or --refuse');
  if (names.has('--stream') && (given[0] ?? '--refuse') === '--refuse')
    usageError('--stream requires --approve or --edit');
}

/** Adds a limit of `--budget`. */
export function addLimit(budget: Record<string, number>, value: string): void {
  const [, name, number] =
    LIMIT.exec(value) ??
    usageError(
      `--budget must be a limit and a number, e.g. max_pages=10, not "${value}"`,
    );
  budget[name!] = Number(number);
}
