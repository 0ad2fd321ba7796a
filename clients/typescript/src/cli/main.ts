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
import { readDirections, readPrompt } from './terminal/input.js';
import { resumeHints, Interrupt } from './terminal/interrupt.js';
import { checkOutput, Output } from './terminal/output.js';
import { research } from './research.js';
import type { Run, WithModel, WithSonde } from './run.js';
import { readSettings, type Settings } from './settings.js';
import { Tokens } from './tokens.js';

/** Runs the command line and returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // The reader has closed the pipe.
  process.stdout.on('error', () => process.exit(1));
  // Losing messages on standard error must not lose the answer.
  process.stderr.on('error', () => undefined);
  try {
    const flags = readFlags(args);
    if (flags === 'help') return print(HELP);
    if (flags === 'version') return print(`sonde-client ${VERSION}\n`);
    const prompt = flags.command
      ? flags.prompt
      : await readPrompt(flags.prompt);
    const directions =
      flags.edit === undefined ? undefined : await readDirections(flags.edit);
    checkOutput(flags.output);
    const settings = readSettings(flags, process.env);
    const output = new Output(flags.output);
    const interrupt = new Interrupt(output);
    const ms = Number(flags.timeout) * 1000;
    const timeout = new AbortController();
    const timer = setTimeout(() => {
      timeout.abort(new SondeTimeoutError('no response in time'));
    }, ms);
    const run: Run = {
      flags,
      prompt,
      directions,
      output,
      interrupt,
      signal: timeout.signal,
      endsAt: Date.now() + ms,
    };
    const code = await interrupt.guard(() => execute(run, settings));
    clearTimeout(timer);
    return code;
  } catch (error) {
    if (!(error instanceof SondeUsageError)) throw error;
    process.stderr.write(`sonde: ${error.message}\n`);
    return 2;
  }
}

async function execute(run: Run, settings: Settings): Promise<number> {
  const { output } = run;
  let code: number;
  output.live.start();
  try {
    code = await start(run, settings);
  } catch (error) {
    code = reportFailure(run, settings, error);
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

function reportFailure(run: Run, settings: Settings, error: unknown): number {
  const { flags, output } = run;
  if (!(error instanceof SondeError)) throw error;
  const { sonde, model } = settings;
  // If only one endpoint is configured, the error belongs to it.
  const only = sonde && model ? null : (sonde ?? model!).baseUrl;
  const url = error.url ?? only;
  const where = url === null ? '' : `\n  at ${url}`;
  if (error instanceof SondeTimeoutError) {
    const { timeout } = flags;
    output.log(
      `sonde: no response within ${timeout} s; work already started may continue`,
    );
    const { tracked } = run.interrupt;
    if (tracked)
      for (const line of resumeHints(tracked).slice(1)) output.log(line);
    return 4;
  }
  if (error instanceof SondeUsageError) {
    output.log(`sonde: ${error.message}`);
    return 2;
  }
  if (!(error instanceof SondeApiError)) {
    output.log(`sonde: ${error.message}${where}`);
    return 3;
  }
  const { code, request_id } = error;
  const request = request_id === null ? '' : `, request ${request_id}`;
  const fields = error.errors.map(
    ({ path, message }) => `\n  ${path}: ${message}`,
  );
  const end = `${fields.join('')}${where}`;
  output.log(`sonde: ${error.message} (code ${code}${request})${end}`);
  return 1;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
