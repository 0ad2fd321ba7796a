import { SondeError } from '../errors.js';
import { isFinal, type InvocationRef } from '../sonde-client.js';
import type { Invocation } from '../types.js';
import { CANCELLING, type UnderWay } from './interrupt.js';
import { ANY_TIME, heldSeconds, type WithSonde } from './run.js';

type Kept = Pick<Invocation, 'invocation_id' | 'invocation_token'>;

const TOOL = 'deep_research';

/** A research by Sonde, in the mode that the flags ask for. */
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
  // Its id is not known before it has ended; the same again, without waiting, has it.
  interrupt.find = async () => {
    const options = { ...CANCELLING, idempotencyKey, waitSeconds: 0 };
    return underWay(run, await sonde.invoke(TOOL, args, options));
  };
  const waitSeconds = heldSeconds(run.flags);
  const options = { ...ANY_TIME, idempotencyKey, waitSeconds, signal };
  const record = await sonde.invoke(TOOL, args, options);
  begun(run, record);
  if (isFinal(record)) return record;
  try {
    return await follow(run, record);
  } catch (error) {
    // Its events are there to be shown; the record itself comes over any connection.
    if (!(error instanceof SondeError)) throw error;
    return sonde.wait(record, { ...ANY_TIME, signal });
  }
}

async function followed(run: WithSonde): Promise<Invocation> {
  const { sonde, flags, interrupt, signal } = run;
  const { stream } = flags;
  const idempotencyKey = crypto.randomUUID();
  const args = argumentsOf(run);
  interrupt.find = async () => {
    const options = { ...CANCELLING, idempotencyKey, stream };
    return underWay(run, await sonde.submit(TOOL, args, options));
  };
  const options = { ...ANY_TIME, idempotencyKey, stream, signal };
  const record = await sonde.submit(TOOL, args, options);
  begun(run, record);
  return follow(run, record);
}

/** Shows what happens to it until it has ended. */
export async function follow(
  { sonde, flags, output, signal }: WithSonde,
  ref: InvocationRef,
): Promise<Invocation> {
  const { stream, json } = flags;
  for await (const event of sonde.events(ref, { signal })) {
    if (event.type === 'progress') output.progress(event.data);
    if (stream && json) output.write(`${JSON.stringify(event)}\n`);
    else if (stream && event.type === 'output_text')
      output.write(event.data.text);
  }
  // Final already, but after a gap.
  return sonde.wait(ref, { ...ANY_TIME, signal });
}

/** Prints what has not been printed yet, says what is wrong, and gives the exit code. */
export function end({ flags, output }: WithSonde, record: Invocation): number {
  output.note('upstream_response_id', record.upstream_response_id);
  if (flags.json) {
    if (!flags.stream) output.write(JSON.stringify(record));
  } else output.write(unwritten(record.output_text ?? '', output.text));
  const fault = faultOf(record);
  if (fault === undefined) return 0;
  output.say(`sonde: the research ${fault}`);
  return 1;
}

function begun(run: WithSonde, record: Invocation) {
  run.output.note('invocation_id', record.invocation_id);
  run.output.note('invocation_token', record.invocation_token);
  run.interrupt.knows(underWay(run, record));
}

/** What Ctrl-C leaves behind, or cancels. */
export function underWay(
  { sonde, tokens }: WithSonde,
  { invocation_id: id, invocation_token: token }: Kept,
): UnderWay {
  const ref = { invocation_id: id, invocation_token: token };
  return {
    id,
    prefix: tokens.keep(id, token),
    cancel: () => sonde.cancel(ref, CANCELLING),
  };
}

function argumentsOf({ prompt, flags }: WithSonde) {
  const { systemPrompt, context, deliverableFormat } = flags;
  return {
    research_question: prompt,
    system_prompt: systemPrompt,
    context: context.length > 0 ? context : undefined,
    deliverable_format: deliverableFormat,
  };
}

/** What a stream has not brought; after a gap all of it is said again. */
function unwritten(whole: string, written: string): string {
  if (whole.startsWith(written)) return whole.slice(written.length);
  return whole && `\n\n${whole}`;
}

function faultOf(record: Invocation): string | undefined {
  const { status, error, error_message } = record;
  if (status === 'completed') return undefined;
  if (status === 'incomplete') return `ended early: ${error?.code ?? status}`;
  if (status === 'cancelled') return 'was cancelled';
  return `failed: ${error_message ?? error?.code ?? status}`;
}
