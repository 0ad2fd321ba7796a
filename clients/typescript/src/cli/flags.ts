import { SondeUsageError } from '../errors.js';
import type { DeliverableFormat } from '../types.js';

export const COMMANDS = ['get', 'attach', 'cancel', 'list'] as const;
export type Command = (typeof COMMANDS)[number];

export interface Flags {
  /** If set, `prompt` is the id of a run. */
  command?: Command;
  target: 'direct' | 'relay';
  /** Undefined means `responses`. */
  api?: 'chat' | 'responses';
  background: boolean;
  webSearch: boolean;
  autoToolCall: boolean;
  stream: boolean;
  /** In seconds, as written on the command line. */
  timeout: string;
  deliverableFormat?: DeliverableFormat;
  systemPrompt?: string;
  context: string[];
  output?: string;
  json: boolean;
  /** The words of the prompt, joined. */
  prompt: string;
}

const SWITCHES: Record<string, keyof Flags | 'help' | 'version'> = {
  '--background': 'background',
  '--web-search': 'webSearch',
  '--auto-tool-call': 'autoToolCall',
  '--stream': 'stream',
  '--json': 'json',
  '--help': 'help',
  '--version': 'version',
};

const VALUES: Record<string, keyof Flags> = {
  '--target': 'target',
  '--api': 'api',
  '--timeout': 'timeout',
  '--deliverable-format': 'deliverableFormat',
  '--system-prompt': 'systemPrompt',
  '--context': 'context',
  '--output': 'output',
};

/** Flags that apply to a prompt and not to an existing run, except `--stream`, which `attach` accepts. */
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
];

const CHOICES: Record<string, string[]> = {
  '--target': ['direct', 'relay'],
  '--api': ['chat', 'responses'],
  '--deliverable-format': ['markdown_brief', 'markdown_report', 'json_outline'],
};

/** Parses the arguments. Returns the first of `--help` and `--version`; throws at the first invalid argument. */
export function readFlags(args: readonly string[]): Flags | 'help' | 'version' {
  const context: string[] = [];
  const flags: Record<string, unknown> = {
    background: false,
    webSearch: false,
    autoToolCall: false,
    stream: false,
    timeout: '3600',
    json: false,
    context,
  };
  const words: string[] = [];
  const names = new Set<string>();
  let command: Command | undefined;
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      words.push(...rest);
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      if (words.length > 0 || command !== undefined || !isCommand(arg))
        words.push(arg);
      else command = arg;
      continue;
    }
    const [, name, given] = /^([^=]*)(?:=(.*))?$/s.exec(arg)!;
    const on = lookUp(SWITCHES, name!);
    const takes = lookUp(VALUES, name!);
    names.add(name!);
    if (on) {
      if (given !== undefined) usageError(`${name} takes no value`);
      if (on === 'help' || on === 'version') return on;
      flags[on] = true;
    } else if (takes) {
      const value =
        given ?? rest.shift() ?? usageError(`${name} requires a value`);
      check(name!, value);
      if (takes === 'context') context.push(value);
      else flags[takes] = value;
    } else usageError(`unknown flag ${name} (see --help)`);
  }
  const prompt = words.join(' ');
  if (command !== undefined) {
    checkCommand(command, names, words);
    return { ...flags, command, target: 'relay', prompt } as unknown as Flags;
  }
  const parsed = { ...withTarget(flags), prompt } as unknown as Flags;
  checkCombinations(parsed);
  return parsed;
}

/** Defaults to Sonde with automatic tool calls, unless a flag requires the model endpoint. */
function withTarget(flags: Record<string, unknown>): Record<string, unknown> {
  if (flags.target !== undefined) return flags;
  if (flags.api || flags.webSearch) return { ...flags, target: 'direct' };
  return { ...flags, target: 'relay', autoToolCall: true };
}

function isCommand(word: string): word is Command {
  return (COMMANDS as readonly string[]).includes(word);
}

function checkCommand(
  command: Command,
  names: ReadonlySet<string>,
  words: readonly string[],
): void {
  for (const name of PROMPT_FLAGS)
    if (names.has(name) && !(name === '--stream' && command === 'attach'))
      usageError(`${name} cannot be used with ${command}`);
  const quoted = `a prompt that begins with "${command}" must be quoted`;
  if (command === 'list') {
    if (words.length > 0) usageError(`list takes no arguments; ${quoted}`);
    return;
  }
  if (words.length === 0) usageError(`${command} requires a run id`);
  if (words.length > 1) usageError(`${command} takes one id; ${quoted}`);
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(words[0]!))
    usageError(`${command}: not a run id: "${words[0]}"`);
}

function check(name: string, value: string): void {
  const choices = CHOICES[name];
  if (choices && !choices.includes(value))
    usageError(`${name} must be ${joinChoices(choices)}, not "${value}"`);
  const seconds = /^(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : 0;
  if (name === '--timeout' && !(seconds >= 0.001 && seconds <= 86400))
    usageError(
      `--timeout must be a number of seconds from 0.001 to 86400, not "${value}"`,
    );
}

function checkCombinations(flags: Flags): void {
  const { api, background, webSearch, autoToolCall, stream } = flags;
  const relay = flags.target === 'relay';
  const chat = api === 'chat';
  if (stream && !relay) usageError('--stream requires --target relay');
  if (background && stream)
    usageError('--background and --stream are mutually exclusive');
  if (api && relay) usageError('--api requires --target direct');
  if (webSearch && relay) usageError('--web-search requires --target direct');
  if (background && chat) usageError('--background requires --api responses');
  if (webSearch && chat) usageError('--web-search requires --api responses');
  if (autoToolCall && chat)
    usageError('--auto-tool-call requires --api responses');
  if (background && autoToolCall && !relay)
    usageError('--background with --auto-tool-call requires --target relay');
  if (webSearch && autoToolCall)
    usageError('--web-search and --auto-tool-call are mutually exclusive');
  if (flags.deliverableFormat && !relay && !autoToolCall)
    usageError(
      '--deliverable-format requires --target relay or --auto-tool-call',
    );
}

function joinChoices(choices: string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

function lookUp<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function usageError(message: string): never {
  throw new SondeUsageError(message);
}
