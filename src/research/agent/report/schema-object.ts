import { ownTurn } from '../../../platform/own-turn';
import { type Edit, editIn } from '../../../sources/evidence/near-copy';
import { z } from 'zod';
import type { AgentRun } from '../agent-run';
import type { BoundSection, Note } from '../agent.types';
import { OBJECT_ROLE } from '../prompts/object.prompt';
import { type Blocks, messagesOf } from '../prompts/prompt';
import { briefText } from '../prompts/wishes';
import { ask } from '../steps/ask';
import { ModelFailed } from '../steps/model-failures';
import { type Call } from '../steps/model-step';
import { plainSentence } from '../text/clean-text';
import { mostThatFit } from '../text/note-ranking';
import { callOf, fitsContext, userBlocks } from '../steps/role-call';

/** Shorter texts are names and choices, not statements. */
const MIN_STATEMENT = 25;

/** The object has values that no source states, and the run enforces that it has none. */
export class Unsupported extends ModelFailed {}

interface LeafFault {
  path: string;
  text: string;
  verdict: string;
}

/**
 * Fills the caller's schema from the bound sentences. Values that differ from them are corrected once; with `enforce`, an
 * object that still has such values is no result.
 * @throws ModelFailed, LimitReached, Unsupported
 */
export async function schemaObject(
  run: AgentRun,
  schema: Record<string, unknown>,
  sections: readonly BoundSection[],
): Promise<unknown> {
  const first = await filled(run, 'object', schema, sections);
  const faults = await faultsIn(run, first, sections);
  if (faults.length === 0) return first;
  const again = await filled(run, 'object:rewrite', schema, sections, faults);
  const left = await faultsIn(run, again, sections);
  if (left.length > 0 && run.task.verify === 'enforce')
    throw new Unsupported(
      OBJECT_ROLE.name,
      `values that no source states: ${left
        .slice(0, 5)
        .map(({ path }) => path)
        .join(', ')}`,
    );
  return again;
}

async function filled(
  run: AgentRun,
  key: string,
  schema: Record<string, unknown>,
  sections: readonly BoundSection[],
  faults?: readonly LeafFault[],
): Promise<unknown> {
  const prompt = {
    ...OBJECT_ROLE,
    model: 'writer' as const,
    schema: validatorOf(schema),
    json: schema,
  };
  const sentences = sections.flatMap((section) => section.sentences);
  const lines = sentences.map(({ text }, at) =>
    JSON.stringify({ id: `s${at + 1}`, text }),
  );
  const blocks = (within: AgentRun, count: number): Blocks => [
    ...userBlocks(within, prompt),
    ['brief', briefText(run.brief!)],
    ['sections', lines.slice(0, count).join('\n')],
    ...(faults ? [['faults', JSON.stringify(faults)] as const] : []),
  ];
  const callIn = (within: AgentRun): Call<unknown, unknown> => {
    const fits = (n: number) => fitsContext(within, prompt, blocks(within, n));
    const count = Math.max(1, mostThatFit(lines.length, fits));
    const given = blocks(within, count);
    return {
      ...callOf(within, prompt, given, 'Filling the requested schema'),
      messages: (fault) => messagesOf(prompt, given, within.today, fault),
      keep: withoutLinks,
    };
  };
  return ask(run, key, callIn, run.allowance);
}

/** Some schemas cannot be checked here; they are still what the model is given. */
function validatorOf(schema: Record<string, unknown>): z.ZodType<unknown> {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.unknown();
  }
}

function notesOf(run: AgentRun, sections: readonly BoundSection[]): Note[] {
  const ids = new Set(
    sections.flatMap(({ sentences }) =>
      sentences.flatMap(({ noteIds }) => noteIds),
    ),
  );
  return run.notes.filter(({ id }) => ids.has(id));
}

/** The values that are changed sentences of the report, or have numbers that neither it nor its notes have. Other work gets its turn after each. */
async function faultsIn(
  run: AgentRun,
  value: unknown,
  sections: readonly BoundSection[],
): Promise<LeafFault[]> {
  if (run.task.verify === 'off') return [];
  const sentences = sections
    .flatMap((section) => section.sentences)
    .map(({ text }) => text);
  const quotes = notesOf(run, sections).map(({ quote }) => quote);
  const known = numbersOf([...sentences, ...quotes]);
  const faults: LeafFault[] = [];
  for (const { path, text } of leavesOf(value, '')) {
    if (hasForeignNumber(text, known))
      faults.push({ path, text, verdict: 'number_differs' });
    else if (text.length >= MIN_STATEMENT) {
      const edit = sentences.includes(text)
        ? undefined
        : firstEdit(text, sentences);
      if (edit) faults.push({ path, text, verdict: edit.verdict });
    }
    await ownTurn();
  }
  return faults;
}

function firstEdit(
  text: string,
  sentences: readonly string[],
): Edit | undefined {
  for (const sentence of sentences) {
    const edit = editIn(text, sentence);
    if (edit) return edit;
  }
  return undefined;
}

/** The powers that words such as "thousand" or "percent" stand for. */
const SCALES = [1, 0.01, 1e3, 1e4, 1e6, 1e8, 1e9, 1e12];

/** The numbers of texts, in each scale. */
function numbersOf(texts: readonly string[]): ReadonlySet<number> {
  return new Set(
    texts.flatMap((text) =>
      numbersIn(text).flatMap((one) =>
        SCALES.map((scale) => Number((one * scale).toPrecision(12))),
      ),
    ),
  );
}

/** Whether a number stands in none of them: of a value without words there is nothing else to compare. */
function hasForeignNumber(text: string, known: ReadonlySet<number>): boolean {
  return numbersIn(text).some((one) => !known.has(one));
}

function numbersIn(text: string): number[] {
  const found = text.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? [];
  return found.map((one) => Number(one.replaceAll(',', '')));
}

function leavesOf(
  value: unknown,
  path: string,
): { path: string; text: string }[] {
  if (typeof value === 'string' || typeof value === 'number')
    return [{ path: path || 'the value', text: String(value) }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    leavesOf(one, path ? `${path}.${key}` : key),
  );
}

/** Addresses that a model writes are not sources. */
function withoutLinks(value: unknown): unknown {
  if (typeof value === 'string')
    return /[[<]|:\/\/|www\./i.test(value) ? plainSentence(value) : value;
  if (Array.isArray(value)) return value.map(withoutLinks);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withoutLinks(one)]),
  );
}
