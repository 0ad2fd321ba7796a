import { Logger } from '@nestjs/common';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { PLAIN_MODELS } from '../../sandbox/plain/plain-models';
import { startSandbox } from '../../sandbox/server';
import { loadConfig } from '../../src/config/load-config';
import { type Depth, DEPTHS } from '../../src/research/arguments/budget';
import { secretsOf } from '../trace';
import { Endpoint } from './endpoint';
import { evaluate } from './evaluate';
import { toMarkdown, unanswered } from './figures';
import { type Guard, GUARDS } from './guards';
import { ModelRecorder, ModelReplay } from './model.trace';
import { readQuestions, some } from './questions';
import { Site } from './site';

export const USAGE = `npm run eval -- research [--models NAME,…] [--questions N] [--depth ${DEPTHS.join('|')}]
  [--without ${GUARDS.join('|')}] [--max-calls N] [--json] [--faults] [--record FILE | --replay FILE]
LITELLM_BASE_URL and LITELLM_API_KEY name the endpoint; without them the models of the sandbox are used.
Exit: 0, 2 where not all questions were asked.`;

/** @returns the exit code. */
export async function evaluateResearch(args: string[]): Promise<number> {
  const options = readOptions(args);
  Logger.overrideLogger(false);
  const replay = options.replay
    ? new ModelReplay(await readFile(options.replay, 'utf8'))
    : undefined;
  const isOwn = !replay && !process.env.LITELLM_BASE_URL;
  const sandbox = isOwn
    ? await startSandbox({ turnMs: 1, researchMs: 1 })
    : undefined;
  const config = loadConfig({
    ...process.env,
    ...(sandbox && { LITELLM_BASE_URL: sandbox.url }),
    ...(replay && { LITELLM_BASE_URL: 'http://replay.invalid' }),
  });
  const { baseUrl = '', apiKey, chatModel } = config.upstream;
  const models = options.models ?? (isOwn ? PLAIN_MODELS : [chatModel]);
  const maxCalls = options.maxCalls ?? (sandbox ? Infinity : MAX_CALLS);
  const plan = { ...options, models, maxCalls };
  process.stderr.write(
    `${plan.questions.length} questions, ${models.length} models, at most ${maxCalls} calls of the endpoint\n`,
  );
  const endpoint = new Endpoint(config);
  const site = await Site.start();
  const recorder = new ModelRecorder(endpoint, secretsOf(baseUrl, apiKey));
  const model = replay ?? (options.record ? recorder : endpoint);
  try {
    const { rows, cut } = await evaluate(plan, model, config, site);
    console.log(
      options.json ? JSON.stringify({ rows }, null, 2) : toMarkdown(rows),
    );
    if (options.faults) console.error(unanswered(rows).join('\n'));
    if (options.record) await writeFile(options.record, recorder.text);
    if (cut) console.error('ended at the limit of calls: raise --max-calls');
    return cut ? 2 : 0;
  } finally {
    await site.close();
    await endpoint.close();
    await sandbox?.close();
  }
}

/** Of an endpoint that may cost money. */
const MAX_CALLS = 2_000;

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      models: { type: 'string' },
      questions: { type: 'string', default: '1000' },
      depth: { type: 'string', default: 'quick' },
      without: { type: 'string' },
      'max-calls': { type: 'string' },
      json: { type: 'boolean' },
      faults: { type: 'boolean' },
      record: { type: 'string' },
      replay: { type: 'string' },
    },
  });
  const { json, faults, record, replay } = values;
  if (record && replay)
    throw new Error(`Nothing is recorded of a replay.\n${USAGE}`);
  const depth = oneOf<Depth>('--depth', DEPTHS, values.depth);
  const without =
    values.without === undefined
      ? undefined
      : oneOf<Guard>('--without', GUARDS, values.without);
  const count = atLeastOne('--questions', values.questions);
  const given = values['max-calls'];
  return {
    json,
    faults,
    record,
    replay,
    depth,
    without,
    questions: some(readQuestions(), count),
    maxCalls:
      given === undefined ? undefined : atLeastOne('--max-calls', given),
    models: values.models?.split(',').map((name) => name.trim()),
  };
}

function oneOf<T extends string>(
  name: string,
  known: readonly T[],
  given: string,
): T {
  const found = known.find((one) => one === given);
  if (found === undefined)
    throw new Error(`${name} is none of ${known.join(', ')}.\n${USAGE}`);
  return found;
}

function atLeastOne(name: string, given: string): number {
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${name} is no whole number from 1.\n${USAGE}`);
  return number;
}
