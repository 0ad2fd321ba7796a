import { Logger } from '@nestjs/common';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { PLAIN_MODELS } from '../../sandbox/plain/plain-models';
import { startSandbox } from '../../sandbox/server';
import { loadConfig } from '../../src/config/load-config';
import { type Depth, DEPTHS } from '../../src/research/arguments/budget';
import {
  VERIFY,
  type Verify,
} from '../../src/research/arguments/research-arguments';
import { ByHand } from '../by-hand';
import { secretsOf } from '../trace';
import { Endpoint } from './endpoint';
import { type EndedRun, evaluate } from './evaluate';
import { toMarkdown, unanswered } from './figures';
import { type Guard, GUARDS } from './guards';
import { ModelMemory, ModelRecorder, ModelReplay } from './model.trace';
import {
  type Question,
  readOpenQuestions,
  readQuestions,
  some,
} from './questions';
import { Site } from './site';

export const USAGE = `npm run eval -- research [--models NAME,…] [--questions N | --question ID] [--depth ${DEPTHS.join('|')}]
  [--verify ${VERIFY.join('|')}] [--without ${GUARDS.join('|')}] [--max-calls N] [--json] [--faults] [--by-hand FOLDER] [--record FILE] [--replay FILE]
LITELLM_BASE_URL and LITELLM_API_KEY name the endpoint; without them the models of the sandbox are used.
Exit: 0, 2 where not all questions were asked.`;

/** @returns the exit code. */
export async function evaluateResearch(args: string[]): Promise<number> {
  const options = readOptions(args);
  Logger.overrideLogger(false);
  const replay = options.replay
    ? new ModelReplay(await readFile(options.replay, 'utf8'))
    : undefined;
  // Beside a recording, a replay has the answers that are not asked for again.
  const isReplay = replay !== undefined && options.record === undefined;
  const needsEndpoint = !isReplay && options.byHand === undefined;
  const isOwn = needsEndpoint && !process.env.LITELLM_BASE_URL;
  const sandbox = isOwn
    ? await startSandbox({ turnMs: 1, researchMs: 1 })
    : undefined;
  const config = loadConfig({
    ...process.env,
    ...(sandbox && { LITELLM_BASE_URL: sandbox.url }),
    ...(!needsEndpoint && { LITELLM_BASE_URL: 'http://none.invalid' }),
  });
  const { baseUrl = '', apiKey, chatModel } = config.upstream;
  const models = options.models ?? (isOwn ? PLAIN_MODELS : [chatModel]);
  const maxCalls = options.maxCalls ?? (sandbox ? Infinity : MAX_CALLS);
  const plan = {
    ...options,
    models,
    maxCalls,
    onEnd: ({ journal }: EndedRun) => {
      if (options.question) console.log(`${journal.text}\n`);
    },
  };
  process.stderr.write(
    `${plan.questions.length} questions, ${models.length} models, at most ${maxCalls} calls of the endpoint\n`,
  );
  const endpoint = new Endpoint(config);
  const site = await Site.start();
  const asked = options.byHand ? new ByHand(options.byHand) : endpoint;
  const recorder = new ModelRecorder(
    replay ? new ModelMemory(replay, asked) : asked,
    secretsOf(baseUrl, apiKey),
  );
  const model = options.record ? recorder : (replay ?? asked);
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
      question: { type: 'string' },
      depth: { type: 'string', default: 'quick' },
      verify: { type: 'string', default: 'check' },
      without: { type: 'string' },
      'max-calls': { type: 'string' },
      json: { type: 'boolean' },
      faults: { type: 'boolean' },
      'by-hand': { type: 'string' },
      record: { type: 'string' },
      replay: { type: 'string' },
    },
  });
  const { json, faults, question, record, replay, 'by-hand': byHand } = values;
  if (byHand && replay && !record)
    throw new Error(`Nothing is asked in a replay.\n${USAGE}`);
  const depth = oneOf<Depth>('--depth', DEPTHS, values.depth);
  const verify = oneOf<Verify>('--verify', VERIFY, values.verify);
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
    byHand,
    question,
    depth,
    verify,
    without,
    questions: question ? [named(question)] : some(readQuestions(), count),
    maxCalls:
      given === undefined ? undefined : atLeastOne('--max-calls', given),
    models: values.models?.split(',').map((name) => name.trim()),
  };
}

function named(id: string): Question {
  const all = [...readOpenQuestions(), ...readQuestions()];
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(`There is no question ${id}.\n${USAGE}`);
  return found;
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
