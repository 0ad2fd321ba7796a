import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { countTokens } from '../src/llm/tokens/count-tokens';
import type { CompletionPort } from '../src/research/agent/agent-ports';

type ModelRequest = Parameters<CompletionPort['complete']>[0];
type ModelReply = Awaited<ReturnType<CompletionPort['complete']>>;

const PAUSE_MS = 200;
const WAIT_MS = 60 * 60_000;
const MAX_CHARS = 1024 * 1024;
const PLAIN = { cjk: 1, other: 1 };

/**
 * Whoever answers files plays the model. Each request is a file `NNN.in.txt` of a folder, and its answer is awaited as
 * `NNN.out.json`, which appears whole: written under another name and renamed. A folder that has answers keeps them: a
 * request that stands in it word for word is not asked again.
 */
export class ByHand implements CompletionPort {
  /** The files that this run has asked with. */
  private readonly taken = new Set<string>();

  constructor(private readonly folder: string) {}

  /** @throws Error after an hour without an answer. */
  async complete(request: ModelRequest): Promise<ModelReply> {
    const path = join(
      this.folder,
      `${this.numberOf(textOf(request))}.out.json`,
    );
    const text = compact(await answerAt(path));
    // A model would be cut off here.
    const isLong = countTokens(text, PLAIN) > request.maxTokens;
    return { text, finish: isLong ? 'length' : 'stop', usage: null };
  }

  /** Of the file that asks, which is written unless it is there. */
  private numberOf(text: string): string {
    for (let at = 1; ; at += 1) {
      const number = String(at).padStart(3, '0');
      if (this.taken.has(number)) continue;
      const path = join(this.folder, `${number}.in.txt`);
      const known = contentOf(path);
      if (known !== undefined && known !== text) continue;
      this.taken.add(number);
      if (known === undefined) writeWhole(path, text);
      return number;
    }
  }
}

/** What a model is given, and nothing else. */
function textOf({ messages, schema }: ModelRequest): string {
  const parts = messages.map(({ role, content }) => `# ${role}\n\n${content}`);
  if (schema)
    parts.push(
      `# JSON schema of the answer\n\n${JSON.stringify(schema.schema)}`,
    );
  return `${parts.join('\n\n')}\n`;
}

async function answerAt(path: string): Promise<string> {
  for (let waited = 0; waited < WAIT_MS; waited += PAUSE_MS) {
    try {
      return (await readFile(path, 'utf8')).slice(0, MAX_CHARS);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`There was no ${path} for an hour.`);
}

/** The white space of a file is no part of an answer. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

const isMissing = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ENOENT';
