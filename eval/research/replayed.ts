import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load-config';
import { type EndedRun, evaluate } from './evaluate';
import { ModelReplay } from './model.trace';
import { readOpenQuestions } from './questions';
import type { Counts } from './score';
import { Site } from './site';

/** The name of the model in traces that were answered by hand. */
const MODEL = 'strong-blind';

export interface Replayed {
  run: EndedRun;
  counts: Counts;
  /** Of the pages that were read, by path. */
  texts: ReadonlyMap<string, string>;
}

/** An open question on the answers of a strong model that saw nothing but the prompts. It computes for ten seconds. */
export async function replayed(id: string): Promise<Replayed> {
  const site = await Site.start();
  let run: EndedRun | undefined;
  const plan = {
    models: [MODEL],
    questions: readOpenQuestions().filter((one) => one.id === id),
    depth: 'standard' as const,
    verify: 'check' as const,
    maxCalls: Infinity,
    onEnd: (ended: EndedRun) => {
      run = ended;
    },
  };
  const trace = join('eval', 'traces', `${MODEL}.${id}.json`);
  const replay = new ModelReplay(readFileSync(trace, 'utf8'));
  const config = loadConfig({ LITELLM_BASE_URL: 'http://none.invalid' });
  try {
    const { rows } = await evaluate(plan, replay, config, site);
    return { run: run!, counts: rows[0].counts, texts: site.texts };
  } finally {
    await site.close();
  }
}
