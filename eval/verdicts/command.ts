import { Logger } from '@nestjs/common';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config/load-config';
import type { CompletionPort } from '../../src/research/agent/agent-ports';
import { ByHand } from '../by-hand';
import { Endpoint } from '../research/endpoint';
import {
  ModelMemory,
  ModelRecorder,
  ModelReplay,
} from '../research/model.trace';
import { secretsOf } from '../trace';
import { toMarkdown, wrongIn } from './figures';
import { type JudgedPair, judgePairs, ruledPair } from './judge';
import { halves, readPairs } from './pairs';

export const USAGE = `npm run eval -- verdicts [--models NAME,…] [--rules] [--json] [--faults] [--by-hand FOLDER] [--record FILE] [--replay FILE]
LITELLM_BASE_URL and LITELLM_API_KEY name the endpoint. --by-hand asks in the folders FOLDERa and FOLDERb: no passage stands in both.`;

/** @returns the exit code. */
export async function evaluateVerdicts(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      models: { type: 'string' },
      rules: { type: 'boolean' },
      json: { type: 'boolean' },
      faults: { type: 'boolean' },
      'by-hand': { type: 'string' },
      record: { type: 'string' },
      replay: { type: 'string' },
    },
  });
  const show = (all: readonly JudgedPair[]): void => {
    console.log(values.json ? JSON.stringify(all, null, 2) : toMarkdown(all));
    if (values.faults) console.error(wrongIn(all).join('\n'));
  };
  if (values.rules) {
    const all = readPairs();
    show(all.map((pair) => ruledPair(pair) ?? { pair, verdict: 'unchecked' }));
    return 0;
  }
  Logger.overrideLogger(false);
  const { 'by-hand': byHand, record } = values;
  const replay = values.replay
    ? new ModelReplay(await readFile(values.replay, 'utf8'))
    : undefined;
  const isAsked = !byHand && (replay === undefined || record !== undefined);
  if (isAsked && !process.env.LITELLM_BASE_URL) throw new Error(USAGE);
  const config = loadConfig({
    ...process.env,
    ...(!isAsked && { LITELLM_BASE_URL: 'http://none.invalid' }),
  });
  const { baseUrl = '', apiKey, chatModel } = config.upstream;
  const endpoint = new Endpoint(config);
  const sides = halves(readPairs()).map((pairs, at) => {
    const asked = byHand ? new ByHand(`${byHand}${'ab'[at]}`) : endpoint;
    const known: CompletionPort = replay
      ? new ModelMemory(replay, asked)
      : asked;
    const recorder = new ModelRecorder(known, secretsOf(baseUrl, apiKey));
    return { pairs, recorder, model: record ? recorder : (replay ?? asked) };
  });
  try {
    for (const name of values.models?.split(',') ?? [chatModel]) {
      const judged = await Promise.all(
        sides.map(({ pairs, model }) => judgePairs(pairs, name, model)),
      );
      show(judged.flat());
    }
    if (record)
      await writeFile(
        record,
        ModelRecorder.joined(sides.map(({ recorder }) => recorder)),
      );
    return 0;
  } finally {
    await endpoint.close();
  }
}
