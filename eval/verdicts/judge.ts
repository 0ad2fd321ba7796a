import type { Verdict } from '../../src/sources/evidence/verdict';
import { ruled } from '../../src/sources/evidence/rules';
import type { CompletionPort } from '../../src/research/agent/agent-ports';
import {
  type Blocks,
  jsonSchemaOf,
  messagesOf,
} from '../../src/research/agent/prompts/prompt';
import { verifyPrompt } from '../../src/research/agent/prompts/verify.prompt';
import {
  type Asked,
  comparedOf,
  judged,
  judgedLine,
  notShown,
} from '../../src/research/agent/text/judged';
import { readJson } from '../../src/research/agent/text/read-json';
import { askedOf, judgementsIn, type Labelled } from './pairs';

export interface JudgedPair {
  pair: Labelled;
  verdict: Verdict;
  checkedBy?: 'text' | 'model';
  detail?: string;
}

/** Of one prompt. */
const SIZE = 14;
const TIMEOUT_MS = 10 * 60_000;

/** What the rules say alone. */
export function ruledPair(pair: Labelled): JudgedPair | undefined {
  const found = ruled(pair);
  return found && { pair, checkedBy: 'text', ...found };
}

/** Judges labelled sentences as the agent judges those of a section: rules, then a model, asked once more where what it shows stands nowhere. */
export async function judgePairs(
  all: readonly Labelled[],
  name: string,
  model: CompletionPort,
): Promise<JudgedPair[]> {
  const byRules = new Map(all.map((pair) => [pair, ruledPair(pair)]));
  const open = all.filter((pair) => byRules.get(pair) === undefined);
  const kindOf = judgementsIn(all);
  const packets = Array.from(
    { length: Math.ceil(open.length / SIZE) },
    (_, at) => open.slice(at * SIZE, (at + 1) * SIZE),
  );
  const byModel = await Promise.all(
    packets.map((packet) =>
      packetJudged(
        packet,
        packet.map((pair, at) => askedOf(pair, `s${at + 1}`, kindOf(pair))),
        name,
        model,
      ),
    ),
  );
  return [
    ...[...byRules.values()].filter((one) => one !== undefined),
    ...byModel.flat(),
  ];
}

async function packetJudged(
  pairs: readonly Labelled[],
  asked: readonly Asked[],
  name: string,
  model: CompletionPort,
): Promise<JudgedPair[]> {
  const found = await answersOf(asked, name, model);
  const again = asked.filter((_, at) => found[at] === undefined);
  if (again.length > 0) {
    const second = await answersOf(again, name, model, notShown(again));
    again.forEach((one, at) => (found[asked.indexOf(one)] = second[at]));
  }
  return pairs.map((pair, at) => ({
    pair,
    ...(found[at] ?? { verdict: 'unchecked' }),
  }));
}

async function answersOf(
  asked: readonly Asked[],
  name: string,
  model: CompletionPort,
  ...more: Blocks
) {
  const { schema, maxTokens } = verifyPrompt;
  const blocks: Blocks = [
    ['sentences', asked.map(judgedLine).join('\n')],
    ...more,
  ];
  const reply = await model.complete({
    model: name,
    messages: messagesOf(verifyPrompt, blocks),
    schema: { name: verifyPrompt.name, schema: jsonSchemaOf(schema) },
    maxTokens,
    timeoutMs: TIMEOUT_MS,
    signal: new AbortController().signal,
  });
  const parsed = schema.safeParse(reply.value ?? readJson(reply.text));
  const answers = parsed.success ? parsed.data.answers : [];
  return asked.map((one) => {
    const answer = answers.find(({ id }) => id === one.id);
    return answer && judged(answer, comparedOf(one));
  });
}
