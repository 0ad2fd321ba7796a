import { setTimeout as sleep } from 'node:timers/promises';
import type { CreateEmbeddingResponse } from 'openai/resources/embeddings';
import type { Armed } from '../control/armed';
import { tokensOf } from '../corpus/tokens';
import { checkModel } from '../responses/models';
import type { SandboxState } from '../state';
import { checkRefused } from '../validation/refused-parameters';
import { checkShape } from '../validation/shape';
import type { Exchange } from '../wire/http';
import { sendJson } from '../wire/http';
import { vectorOf } from './vector';

interface Body {
  model: string;
  input: string | string[] | number[] | number[][];
  dimensions?: number;
  encoding_format?: 'float' | 'base64';
}

const DIMENSIONS = 1_536;

/** Vectors of words: texts that share words are near each other, and the same text always has the same vector. */
export async function createEmbedding(
  x: Exchange,
  state: SandboxState,
  armed: Armed,
): Promise<void> {
  checkRefused(x.body, state.settings);
  checkShape(x.body, 'EmbeddingBody');
  const { model, input, dimensions, encoding_format } = x.body as Body;
  checkModel(model, state.settings);
  const items = itemsOf(input);
  const prompt_tokens = items.reduce((sum, item) => sum + item.length, 0);
  const reply = {
    object: 'list',
    data: items.map((item, index) => {
      const vector = vectorOf(item.map(String), dimensions ?? DIMENSIONS);
      const embedding =
        encoding_format === 'base64'
          ? Buffer.from(Float32Array.from(vector).buffer).toString('base64')
          : vector;
      return { object: 'embedding', index, embedding };
    }),
    model,
    usage: { prompt_tokens, total_tokens: prompt_tokens },
  } as CreateEmbeddingResponse;
  await sleep(state.settings.turn_ms);
  const cost = armed.run.find(({ kind }) => kind === 'cost')?.usage;
  if (cost !== undefined) Object.assign(reply.usage, { cost });
  const cut = armed.run.find(({ kind }) => kind === 'cut_body')?.bytes;
  if (cut === undefined) return sendJson(x.res, 200, reply);
  x.res.writeHead(200, { 'content-type': 'application/json' });
  x.res.write(JSON.stringify(reply).slice(0, cut), () => x.res.destroy());
}

/** The words of each text, or its token ids as they are. */
function itemsOf(input: Body['input']): (string | number)[][] {
  if (typeof input === 'string') return [tokensOf(input)];
  if (typeof input[0] === 'number') return [input as number[]];
  return (input as (string | number[])[]).map((item) =>
    typeof item === 'string' ? tokensOf(item) : item,
  );
}
