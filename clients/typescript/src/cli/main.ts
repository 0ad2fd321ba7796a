import {
  SondeApiError,
  SondeError,
  SondeTimeoutError,
  SondeUsageError,
} from '../errors.js';
import { ModelClient } from '../model-client.js';
import { SondeClient } from '../sonde-client.js';
import { VERSION } from '../version.js';
import { chat } from './chat.js';
import { command } from './commands.js';
import { completion, response, toolCalling } from './direct.js';
import { readFlags } from './flags.js';
import { HELP } from './help.js';
import { readPrompt } from './input.js';
import { goesOn, Interrupt } from './interrupt.js';
import { checkOutput, Output } from './output.js';
import { research } from './research.js';
import type { Run, WithModel, WithSonde } from './run.js';
import { readSettings, type Settings } from './settings.js';
import { Tokens } from './tokens.js';

/** Runs the command line, and returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // Who reads no further wants no more.
  process.stdout.on('error', () => process.exit(1));
  // What is said of the answer may be lost; the answer may not.
  process.stderr.on('error', () => undefined);
  try {
    const flags = readFlags(args);
    if (flags === 'help') return print(HELP);
    if (flags === 'version') return print(`sonde-client ${VERSION}\n`);
    const prompt = flags.command
      ? flags.prompt
      : await readPrompt(flags.prompt);
    checkOutput(flags.output);
    const settings = readSettings(flags, process.env);
    const output = new Output(flags.output);
    const interrupt = new Interrupt(output);
    const ms = Number(flags.timeout) * 1000;
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new SondeTimeoutError('no response in time'));
    }, ms);
    const run: Run = {
      flags,
      prompt,
      output,
      interrupt,
      signal: late.signal,
      endsAt: Date.now() + ms,
    };
    const code = await interrupt.guard(() => answered(run, settings));
    clearTimeout(timer);
    return code;
  } catch (error) {
    if (!(error instanceof SondeUsageError)) throw error;
    process.stderr.write(`sonde: ${error.message}\n`);
    return 2;
  }
}

async function answered(run: Run, settings: Settings): Promise<number> {
  const { output } = run;
  let code: number;
  output.live.start();
  try {
    code = await start(run, settings);
  } catch (error) {
    code = failed(run, settings, error);
  }
  return output.finish() ? code : 1;
}

function start(run: Run, settings: Settings): Promise<number> {
  const { target, api, autoToolCall } = run.flags;
  const sonde = settings.sonde && new SondeClient(settings.sonde);
  const model = settings.model && new ModelClient(settings.model);
  const tokens = settings.sonde && new Tokens(settings.sonde);
  const all = { ...run, sonde, model, tokens } as WithSonde & WithModel;
  const name = run.flags.command;
  if (name) return command({ ...all, command: name });
  if (target === 'relay') return autoToolCall ? chat(all) : research(all);
  if (autoToolCall) return toolCalling(all);
  return api === 'chat' ? completion(all) : response(all);
}

function failed(run: Run, settings: Settings, error: unknown): number {
  const { flags, output } = run;
  if (!(error instanceof SondeError)) throw error;
  const { sonde, model } = settings;
  // Where only one is asked, it is the one that failed.
  const only = sonde && model ? null : (sonde ?? model!).baseUrl;
  const url = error.url ?? only;
  const where = url === null ? '' : `\n  at ${url}`;
  if (error instanceof SondeTimeoutError) {
    const { timeout } = flags;
    output.say(
      `sonde: no response within ${timeout} s; work already started may continue`,
    );
    const { known } = run.interrupt;
    if (known) for (const line of goesOn(known).slice(1)) output.say(line);
    return 4;
  }
  if (error instanceof SondeUsageError) {
    output.say(`sonde: ${error.message}`);
    return 2;
  }
  if (!(error instanceof SondeApiError)) {
    output.say(`sonde: ${error.message}${where}`);
    return 3;
  }
  const { code, request_id } = error;
  const request = request_id === null ? '' : `, request ${request_id}`;
  const fields = error.errors.map(
    ({ path, message }) => `\n  ${path}: ${message}`,
  );
  const end = `${fields.join('')}${where}`;
  output.say(`sonde: ${error.message} (code ${code}${request})${end}`);
  return 1;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
