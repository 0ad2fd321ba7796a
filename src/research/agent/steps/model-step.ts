import { isErrorCode } from '../../../platform/errors';
import type { FieldsOf, RunField } from '../../../runs/record/run-fields';
import type { AgentRun } from '../agent-run';
import type { CompletionPort, Message } from '../agent-ports';
import { type Allowance, type Amount, amountOf } from '../budget/allowance';
import {
  isSkipped,
  LimitReached,
  MaterialGone,
  ModelFailed,
} from './model-failures';
import { estimatedUsage, type Room, roomOf } from './output-room';
import { writingCost } from './plan-estimate';
import { BUDGET_EXCEEDED } from '../journal/step-failure';
import {
  type Asked,
  askedOf,
  jsonSchemaOf,
  narrowed,
  type RolePrompt,
} from '../prompts/prompt';
import { readJson } from '../text/read-json';

/** Roles whose calls are what the budget of the key is kept for. */
const WRITING: ReadonlySet<string> = new Set(['writer', 'verifier']);
/** After an answer that does not fit its schema. */
const REPEATS = 2;
/** Of the bounds of a schema what is left after an answer that was cut off, where the next one has no more room. */
const SHORTER = 0.25;
/** After an answer that was all reasoning: each time the output limit is doubled. */
const GROWTHS = 8;

export interface Call<T, R> {
  prompt: RolePrompt<T>;
  /** What the call depends on; the journal compares it. */
  input: unknown;
  /** Tokens of the prompt, at most. */
  inputTokens: number;
  /**
   * @param system in place of that of its prompt.
   * @throws MaterialGone
   */
  messages(fault?: string, system?: string): Promise<Message[]> | Message[];
  /** What the journal keeps of the answer. */
  keep(answer: T): R;
  /** The progress event. */
  detail: string;
  /** What the event and the record show of the answer. */
  shown?(kept: R): { notes?: number; fields?: FieldsOf<RunField> };
}

interface Answer<R> {
  kept?: R;
  fault?: string;
  /** Nothing was asked: the text that it was to show has changed, or the time of the run is over. */
  gone?: true;
  late?: true;
  used: Amount;
}

/**
 * Asks a role with one prompt. Every HTTP attempt is an entry of the journal; an answer that does not fit its schema is
 * asked for again with the fault named.
 * @throws ModelFailed, LimitReached.
 */
export async function askOnce<T, R>(
  run: AgentRun,
  key: string,
  call: Call<T, R>,
  allowance: Allowance,
): Promise<R> {
  const { prompt } = call;
  const model = run.model(prompt.model);
  // Repeats have the same: their faults follow from the steps before them, and a run that continues this one asks for none.
  const input = {
    role: prompt.name,
    model: model.name,
    maxTokens: run.outputLimit(prompt.model, prompt.maxTokens),
    input: call.input,
  };
  const isInherited = run.journal.inheritance?.has(key, input) ?? false;
  let fault: string | undefined;
  let growths = 0;
  let cuts = 0;
  let refused = 0;
  for (let repeat = 0; repeat - growths <= REPEATS; repeat += 1) {
    // An answer that was cut off gets more room; and where there is none, shorter bounds: small models fill them.
    const wanted = prompt.maxTokens * (fault === CUT_OFF ? 2 : 1);
    const maxTokens = run.outputLimit(prompt.model, wanted);
    const first = run.outputLimit(prompt.model, prompt.maxTokens);
    const share = prompt.ofCaller
      ? 1
      : SHORTER ** (cuts - (maxTokens >= first * 1.5 ? 1 : 0));
    const inputTokens = call.inputTokens + (fault ? 200 : 0);
    const largest = amountOf(model, inputTokens, maxTokens);
    if (!isInherited) reserve(allowance, largest);
    const answer = await settle(run, repeatKey(key, repeat), input, {
      ...call,
      fault,
      share,
      asked: askedOf(prompt, model, refused),
      ...roomOf(run, prompt, allowance, { inputTokens, maxTokens, growths }),
    });
    if (!isInherited) allowance.settle(answer.used);
    if (answer.gone) throw new ModelFailed(prompt.name, 'its text has changed');
    if (answer.late)
      throw new ModelFailed(prompt.name, LATE, 'research_timeout');
    if (answer.fault === undefined) return answer.kept as R;
    fault = answer.fault;
    if (fault !== REASONED) refused += 1;
    if (fault === CUT_OFF) cuts += 1;
    if (fault === REASONED && growths < GROWTHS) growths += 1;
  }
  const times = `${REPEATS + 1} answers were refused, the last one because: ${fault}`;
  throw new ModelFailed(prompt.name, times);
}

const CUT_OFF = 'It was cut off before its end.';
const LATE = 'the time of the run was over.';
/** The next attempt has more room. */
const REASONED = 'It was cut off within its reasoning: reason less.';

function repeatKey(key: string, repeat: number): string {
  return repeat === 0 ? key : `${key}~${repeat}`;
}

/** @throws LimitReached */
function reserve(allowance: Allowance, amount: Amount): void {
  if (allowance.affords(amount)) return;
  const byTokens = allowance.left.tokens < amount.tokens;
  throw new LimitReached(byTokens ? 'max_tokens' : 'max_cost_usd');
}

async function settle<T, R>(
  run: AgentRun,
  key: string,
  input: object,
  call: Call<T, R> & Room & { fault?: string; share: number; asked: Asked },
): Promise<Answer<R>> {
  const { prompt, maxTokens, share, asked } = call;
  const model = run.model(prompt.model);
  const bounded = narrowed(jsonSchemaOf(asked.schema), share);
  const schema = { name: prompt.name, schema: bounded };
  try {
    return await run.journal.step<Answer<R>>(
      key,
      input,
      'model',
      async (signal) => {
        const timeoutMs = run.callMs;
        if (timeoutMs <= 0)
          return { value: { late: true, fault: LATE, used: NOTHING } };
        const messages = await messagesOf(call);
        if (!messages) return { value: { gone: true, used: NOTHING } };
        const reply = await run.ports.complete.complete({
          model: model.name,
          messages,
          schema,
          maxTokens,
          timeoutMs,
          signal,
        });
        const usage = reply.usage ?? estimatedUsage(run, messages, reply.text);
        const used = amountOf(model, usage.input_tokens, usage.output_tokens);
        const costUsd = reply.costUsd ?? used.costUsd;
        const result = outcome(call, reply);
        const shown = 'kept' in result ? call.shown?.(result.kept) : undefined;
        const value: Answer<R> = {
          ...result,
          used: { ...used, costUsd },
        };
        const isKnown = reply.costUsd !== undefined || model.price;
        return {
          value,
          spent: {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            ...(isKnown && { cost_usd: costUsd }),
          },
          ...(isKnown && {
            costSource: reply.costUsd === undefined ? 'prices' : 'gateway',
          }),
          // Also for a run that is ended before its report is.
          fields: { model: run.model('writer').name, ...shown?.fields },
          events: [
            {
              type: 'progress',
              data: {
                kind: 'reasoning',
                detail: call.detail,
                ...(shown?.notes !== undefined && { notes: shown.notes }),
              },
            },
          ],
        };
      },
      {
        usd: model.price && call.largest.costUsd,
        freeUsd: WRITING.has(prompt.model) ? 0 : writingCost(run),
        model: run.model('writer').name,
      },
    );
  } catch (error) {
    const failure = failureOf(prompt.name, error);
    if (failure instanceof LimitReached) run.limitsReached.add(failure.limit);
    throw failure;
  }
}

const NOTHING: Amount = { tokens: 0, costUsd: 0 };

async function messagesOf<T, R>(
  call: Call<T, R> & { fault?: string; asked: Asked },
): Promise<Message[] | undefined> {
  try {
    return await call.messages(call.fault, call.asked.system);
  } catch (error) {
    if (error instanceof MaterialGone) return undefined;
    throw error;
  }
}

function outcome<T, R>(
  call: Call<T, R> & Room,
  reply: Awaited<ReturnType<CompletionPort['complete']>>,
): { kept: R } | { fault: string } {
  if (reply.finish === 'length')
    return { fault: reply.reasoningCut && call.mayGrow ? REASONED : CUT_OFF };
  if (reply.finish === 'filtered')
    return { fault: 'The endpoint filtered its content.' };
  const value = reply.value ?? readJson(reply.text);
  if (value === undefined) return { fault: 'It was no JSON object.' };
  const parsed = call.prompt.schema.safeParse(value);
  if (parsed.success) return { kept: call.keep(parsed.data) };
  const faults = parsed.error.issues.slice(0, 3).map(({ path, message }) => {
    return `${path.join('.') || 'the object'}: ${message}`;
  });
  return { fault: `${faults.join('; ').slice(0, 300)}.`.toWellFormed() };
}

/** A step that is out of repeats is a failure of its role; every other error ends the run's work on this worker. */
function failureOf(role: string, error: unknown): unknown {
  if (!isSkipped(error)) return error;
  const { code } = error;
  if (code === BUDGET_EXCEEDED.code) return new LimitReached('key_budget');
  return isErrorCode(code)
    ? new ModelFailed(role, `no answer (${code})`, code, error.contextTokens)
    : new ModelFailed(role, 'no answer');
}
