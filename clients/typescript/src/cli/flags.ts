import { SondeUsageError } from '../errors.js';
import type { DeliverableFormat } from '../types.js';

export interface Flags {
  target: 'direct' | 'relay';
  /** Undefined: not given, which is `responses`. */
  api?: 'chat' | 'responses';
  background: boolean;
  webSearch: boolean;
  autoToolCall: boolean;
  stream: boolean;
  /** In seconds, as it was written. */
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

const CHOICES: Record<string, string[]> = {
  '--target': ['direct', 'relay'],
  '--api': ['chat', 'responses'],
  '--deliverable-format': ['markdown_brief', 'markdown_report', 'json_outline'],
};

/** What was asked for, or the first of `--help` and `--version`; throws at the first fault. */
export function readFlags(args: readonly string[]): Flags | 'help' | 'version' {
  const context: string[] = [];
  const flags: Record<string, unknown> = {
    target: 'direct',
    background: false,
    webSearch: false,
    autoToolCall: false,
    stream: false,
    timeout: '3600',
    json: false,
    context,
  };
  const words: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      words.push(...rest);
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      words.push(arg);
      continue;
    }
    const [, name, given] = /^([^=]*)(?:=(.*))?$/s.exec(arg)!;
    const on = lookUp(SWITCHES, name!);
    const takes = lookUp(VALUES, name!);
    if (on) {
      if (given !== undefined) fault(`${name} takes no value`);
      if (on === 'help' || on === 'version') return on;
      flags[on] = true;
    } else if (takes) {
      const value = given ?? rest.shift() ?? fault(`${name} needs a value`);
      check(name!, value);
      if (takes === 'context') context.push(value);
      else flags[takes] = value;
    } else fault(`unknown flag ${name} (see --help)`);
  }
  const read = { ...flags, prompt: words.join(' ') } as unknown as Flags;
  checkTogether(read);
  return read;
}

function check(name: string, value: string): void {
  const choices = CHOICES[name];
  if (choices && !choices.includes(value))
    fault(`${name} must be ${inWords(choices)}, not "${value}"`);
  const seconds = /^(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : 0;
  if (name === '--timeout' && !(seconds >= 0.001 && seconds <= 86400))
    fault(
      `--timeout must be a number of seconds from 0.001 to 86400, not "${value}"`,
    );
}

function checkTogether(flags: Flags): void {
  const { api, background, webSearch, autoToolCall, stream } = flags;
  const relay = flags.target === 'relay';
  const chat = api === 'chat';
  if (stream && !relay) fault('--stream needs --target relay');
  if (background && stream)
    fault('--background and --stream exclude each other');
  if (api && relay) fault('--api is for --target direct');
  if (webSearch && relay) fault('--web-search is for --target direct');
  if (background && chat) fault('--background needs --api responses');
  if (webSearch && chat) fault('--web-search needs --api responses');
  if (autoToolCall && chat) fault('--auto-tool-call needs --api responses');
  if (background && autoToolCall && !relay)
    fault('--background with --auto-tool-call needs --target relay');
  if (webSearch && autoToolCall)
    fault('--web-search and --auto-tool-call exclude each other');
  if (flags.deliverableFormat && !relay && !autoToolCall)
    fault('--deliverable-format needs --target relay or --auto-tool-call');
}

function inWords(choices: string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

function lookUp<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function fault(message: string): never {
  throw new SondeUsageError(message);
}
