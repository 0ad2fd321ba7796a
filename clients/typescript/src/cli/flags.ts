import {
  addLimit,
  checkCommand,
  COMMAND_FLAGS,
  isCommand,
  type Command,
} from './command-flags.js';
import { usageError } from './usage-error.js';
import type { DeliverableFormat } from '../types.js';

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
  plan?: 'auto' | 'review';
  /** The decision on a plan: at most one of the three is set. */
  approve: boolean;
  /** A file, or `-` for standard input. */
  edit?: string;
  refuse: boolean;
  /** Of the decision. */
  reason?: string;
  /** Limits of `continue`, by name. */
  budget: Record<string, number>;
  /** The words of the prompt, joined. */
  prompt: string;
}

const SWITCHES: Record<string, keyof Flags | 'help' | 'version'> = {
  '--background': 'background',
  '--web-search': 'webSearch',
  '--auto-tool-call': 'autoToolCall',
  '--stream': 'stream',
  '--json': 'json',
  '--approve': 'approve',
  '--refuse': 'refuse',
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
  '--plan': 'plan',
  '--edit': 'edit',
  '--reason': 'reason',
  '--budget': 'budget',
};

const CHOICES: Record<string, string[]> = {
  '--target': ['direct', 'relay'],
  '--api': ['chat', 'responses'],
  '--deliverable-format': ['markdown_brief', 'markdown_report', 'json_outline'],
  '--plan': ['auto', 'review'],
};

/** Parses the arguments. Returns the first of `--help` and `--version`; throws at the first invalid argument. */
export function readFlags(args: readonly string[]): Flags | 'help' | 'version' {
  const context: string[] = [];
  const budget: Flags['budget'] = {};
  const flags: Record<string, unknown> = {
    background: false,
    webSearch: false,
    autoToolCall: false,
    stream: false,
    timeout: '3600',
    json: false,
    approve: false,
    refuse: false,
    context,
    budget,
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
      else if (takes === 'budget') addLimit(budget, value);
      else flags[takes] = value;
    } else usageError(`unknown flag ${name} (see --help)`);
  }
  const prompt = words.join(' ');
  if (command !== undefined) {
    checkCommand(command, names, words);
    return { ...flags, command, target: 'relay', prompt } as unknown as Flags;
  }
  for (const [name, only] of Object.entries(COMMAND_FLAGS))
    if (names.has(name)) usageError(`${name} requires the command ${only}`);
  const parsed = { ...withTarget(flags), prompt } as unknown as Flags;
  checkCombinations(parsed);
  return parsed;
}

/** Defaults to Sonde with automatic tool calls, unless a flag requires the model endpoint. */
function withTarget(flags: Record<string, unknown>): Record<string, unknown> {
  if (flags.target !== undefined) return flags;
  if (flags.plan && !flags.autoToolCall) return { ...flags, target: 'relay' };
  if (flags.api || flags.webSearch) return { ...flags, target: 'direct' };
  return { ...flags, target: 'relay', autoToolCall: true };
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
  if (flags.plan && !relay) usageError('--plan requires --target relay');
  if (flags.plan && autoToolCall)
    usageError('--plan and --auto-tool-call are mutually exclusive');
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
