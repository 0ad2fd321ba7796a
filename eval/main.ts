import { Logger } from '@nestjs/common';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startSandbox } from '../sandbox/server';
import { loadConfig } from '../src/config/load-config';
import { UpstreamClient } from '../src/llm/upstream/upstream.client';
import { ENGINES } from './attempt';
import { CASES } from './cases';
import { evaluate, mostCalls } from './evaluate';
import {
  faults,
  type Measure,
  MEASURES,
  missed,
  toJson,
  toMarkdown,
} from './report';
import { evaluateResearch, USAGE as RESEARCH } from './research/command';
import { evaluateVerdicts, USAGE as VERDICTS } from './verdicts/command';
import { Recorder, Replay, secretsOf } from './trace';

const USAGE = `npm run eval -- tools [--models NAME,…] [--engines ${Object.keys(ENGINES).join(',')}]
  [--max-calls N] [--min "MEASURE=PERCENT"]… [--json] [--faults] [--record FILE | --replay FILE]
LITELLM_BASE_URL and LITELLM_API_KEY name the endpoint; without them the sandbox is used.
Measures: ${MEASURES.join(', ')}. Exit: 0, 1 where one is not reached, 2 where not all cases were run.

${RESEARCH}

${VERDICTS}`;

async function main(): Promise<number> {
  const options = readOptions();
  Logger.overrideLogger(false);
  const replay = options.replay
    ? new Replay(await readFile(options.replay, 'utf8'))
    : undefined;
  const sandbox =
    replay || process.env.LITELLM_BASE_URL
      ? undefined
      : await startSandbox({ turnMs: 1 });
  const config = loadConfig({
    ...process.env,
    ...(sandbox && { LITELLM_BASE_URL: sandbox.url }),
    ...(replay && { LITELLM_BASE_URL: 'http://replay.invalid' }),
  });
  const { baseUrl = '', apiKey, chatModel } = config.upstream;
  const models = options.models ?? [chatModel];
  const plan = { ...options, models };
  process.stderr.write(
    `${CASES.length} cases, ${options.engines.length} engines, ${models.length} models: ` +
      `up to ${mostCalls(plan)} calls of the endpoint, ${plan.maxCalls} at the most\n`,
  );
  const client = new UpstreamClient(config);
  const recorder = new Recorder(client, secretsOf(baseUrl, apiKey));
  const endpoint = replay ?? (options.record ? recorder : client);
  try {
    const { rows, calls, cut } = await evaluate(plan, endpoint, config);
    console.log(options.json ? toJson(rows) : toMarkdown(rows));
    if (options.faults) console.error(faults(rows).join('\n'));
    if (options.record) await writeFile(options.record, recorder.text);
    const short = missed(rows, options.least);
    for (const line of short) console.error(`not reached: ${line}`);
    if (cut) console.error(`ended after ${calls} calls: raise --max-calls`);
    return cut ? 2 : short.length > 0 ? 1 : 0;
  } finally {
    await client.onApplicationShutdown();
    await sandbox?.close();
  }
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      models: { type: 'string' },
      engines: {
        type: 'string',
        default: 'agents,responses,completions,prompt',
      },
      'max-calls': { type: 'string', default: '2000' },
      min: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean' },
      faults: { type: 'boolean' },
      record: { type: 'string' },
      replay: { type: 'string' },
    },
  });
  const engines = list(values.engines);
  const maxCalls = Number(values['max-calls']);
  const unknown = engines.find((name) => !Object.hasOwn(ENGINES, name));
  if (positionals.join() !== 'tools') throw new Error(USAGE);
  if (unknown !== undefined || engines.length === 0)
    throw new Error(`There is no engine "${unknown}".\n${USAGE}`);
  if (!Number.isInteger(maxCalls) || maxCalls < 1)
    throw new Error(`--max-calls is no number of calls.\n${USAGE}`);
  if (values.record && values.replay)
    throw new Error(`Nothing is recorded of a replay.\n${USAGE}`);
  const models = values.models === undefined ? undefined : list(values.models);
  return {
    ...values,
    engines,
    maxCalls,
    models,
    least: thresholds(values.min),
  };
}

function thresholds(given: readonly string[]): Map<Measure, number> {
  return new Map(
    given.map((one) => {
      const [name, percent] = one.split('=');
      const measure = MEASURES.find((known) => known === name);
      const wanted = Number(percent);
      if (!measure || !(wanted >= 0 && wanted <= 100))
        throw new Error(`--min "${one}" is no threshold.\n${USAGE}`);
      return [measure, wanted] as const;
    }),
  );
}

const list = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

const [, , command, ...rest] = process.argv;
const run =
  command === 'research'
    ? evaluateResearch
    : command === 'verdicts'
      ? evaluateVerdicts
      : main;
run(rest).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 64;
  },
);
