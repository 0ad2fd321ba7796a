import { SondeError } from '../errors.js';
import { showPlan } from './plan-output.js';
import type { InvocationRef } from '../options.js';
import { isSettled } from '../sonde-client.js';
import type { Invocation } from '../types.js';
import { CANCEL_TIMEOUT, type ActiveRun } from './terminal/interrupt.js';
import { MAX_TIMEOUT, foregroundWaitSeconds, type WithSonde } from './run.js';

type RunRef = Pick<Invocation, 'invocation_id' | 'invocation_token'>;

const TOOL = 'deep_research';

/** Runs deep research in Sonde, in the mode that the flags select. */
export async function research(run: WithSonde): Promise<number> {
  const { flags } = run;
  const record = await (flags.background || flags.stream
    ? followed(run)
    : awaited(run));
  return end(run, record);
}

async function awaited(run: WithSonde): Promise<Invocation> {
  const { sonde, interrupt, signal } = run;
  const idempotencyKey = crypto.randomUUID();
  const args = argumentsOf(run);
  // The id is unknown until the reply arrives; the same request with the same key and no wait returns it.
  interrupt.findRun = async () => {
    const options = { ...CANCEL_TIMEOUT, idempotencyKey, waitSeconds: 0 };
    return activeRun(run, await sonde.invoke(TOOL, args, options));
  };
  const waitSeconds = foregroundWaitSeconds(run.flags);
  const options = { ...MAX_TIMEOUT, idempotencyKey, waitSeconds, signal };
  const record = await sonde.invoke(TOOL, args, options);
  onSubmitted(run, record);
  if (isSettled(record)) return record;
  try {
    return await follow(run, record);
  } catch (error) {
    // Events are only displayed; if they fail, the record is still fetched.
    if (!(error instanceof SondeError)) throw error;
    return sonde.wait(record, { ...MAX_TIMEOUT, signal });
  }
}

async function followed(run: WithSonde): Promise<Invocation> {
  const { sonde, flags, interrupt, signal } = run;
  const { stream } = flags;
  const idempotencyKey = crypto.randomUUID();
  const args = argumentsOf(run);
  interrupt.findRun = async () => {
    const options = { ...CANCEL_TIMEOUT, idempotencyKey, stream };
    return activeRun(run, await sonde.submit(TOOL, args, options));
  };
  const options = { ...MAX_TIMEOUT, idempotencyKey, stream, signal };
  const record = await sonde.submit(TOOL, args, options);
  onSubmitted(run, record);
  return follow(run, record);
}

/** Prints the events of a run until it ends or requires action. */
export async function follow(
  { sonde, flags, output, signal }: WithSonde,
  ref: InvocationRef,
): Promise<Invocation> {
  const { stream, json } = flags;
  const limits = { ...MAX_TIMEOUT, signal };
  for await (const event of sonde.events(ref, { signal })) {
    if (event.type === 'progress') output.progress(event.data);
    if (stream && json) output.write(`${JSON.stringify(event)}\n`);
    else if (stream && event.type === 'output_text')
      output.write(event.data.text);
    if (event.type !== 'requires_action') continue;
    // The event stays in the log after the decision.
    const { status } = await sonde.get(ref, limits);
    if (status === 'requires_action') break;
  }
  // Returns immediately, except after a gap.
  return sonde.wait(ref, limits);
}

/** Prints what has not been printed yet, reports failures and returns the exit code. */
export function end(run: WithSonde, record: Invocation): number {
  const { flags, output } = run;
  output.field('upstream_response_id', record.upstream_response_id);
  if (flags.json) {
    if (!flags.stream) output.write(JSON.stringify(record));
  } else output.write(unprinted(record.output_text ?? '', output.text));
  if (record.status === 'requires_action') {
    showPlan(run, record);
    return 5;
  }
  const usageError = failureOf(record);
  if (usageError === undefined) return 0;
  output.log(`sonde: the research ${usageError}`);
  return 1;
}

/** Prints the ids of a new run, which Ctrl-C detaches from. */
export function onSubmitted(run: WithSonde, record: Invocation) {
  run.output.field('invocation_id', record.invocation_id);
  run.output.field('invocation_token', record.invocation_token);
  run.interrupt.track(activeRun(run, record));
}

/** The run that Ctrl-C detaches from or cancels. */
export function activeRun(
  { sonde, tokens }: WithSonde,
  { invocation_id: id, invocation_token: token }: RunRef,
): ActiveRun {
  const ref = { invocation_id: id, invocation_token: token };
  return {
    id,
    prefix: tokens.save(id, token),
    cancel: () => sonde.cancel(ref, CANCEL_TIMEOUT),
  };
}

function argumentsOf({ prompt, flags }: WithSonde) {
  const { systemPrompt, context, deliverableFormat, plan } = flags;
  return {
    research_question: prompt,
    system_prompt: systemPrompt,
    context: context.length > 0 ? context : undefined,
    deliverable_format: deliverableFormat,
    plan,
  };
}

/** The text that the stream did not contain. After a gap the whole text is printed again. */
function unprinted(whole: string, written: string): string {
  if (whole.startsWith(written)) return whole.slice(written.length);
  return whole && `\n\n${whole}`;
}

function failureOf(record: Invocation): string | undefined {
  const { status, error, error_message } = record;
  if (status === 'completed') return undefined;
  if (status === 'incomplete') return `ended early: ${error?.code ?? status}`;
  if (status === 'cancelled') return 'was cancelled';
  return `failed: ${error_message ?? error?.code ?? status}`;
}
