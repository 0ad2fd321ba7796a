import { isFinal } from '../sonde-client.js';
import type { Invocation } from '../types.js';
import { CANCELLING } from './interrupt.js';
import { ANY_TIME, heldSeconds, type WithSonde } from './run.js';

const TOOL = 'deep_research';

/** A research by Sonde, in the mode that the flags ask for. */
export async function research(run: WithSonde): Promise<number> {
  const { flags } = run;
  const record = await (flags.background || flags.stream
    ? followed(run)
    : awaited(run));
  const { output } = run;
  output.note('upstream_response_id', record.upstream_response_id);
  if (flags.json) {
    if (!flags.stream) output.write(JSON.stringify(record));
  } else output.write(unwritten(record.output_text ?? '', output.text));
  const fault = faultOf(record);
  if (fault === undefined) return 0;
  output.say(`sonde: the research ${fault}`);
  return 1;
}

async function awaited(run: WithSonde): Promise<Invocation> {
  const { sonde, interrupt, signal } = run;
  const idempotencyKey = crypto.randomUUID();
  const args = argumentsOf(run);
  // Its id is not known before it has ended; the same again, without waiting, tells it.
  interrupt.cancel = async () => {
    const options = { ...CANCELLING, idempotencyKey, waitSeconds: 0 };
    await sonde.cancel(await sonde.invoke(TOOL, args, options), CANCELLING);
  };
  const waitSeconds = heldSeconds(run.flags);
  const options = { ...ANY_TIME, idempotencyKey, waitSeconds, signal };
  const record = await sonde.invoke(TOOL, args, options);
  begun(run, record);
  return isFinal(record) ? record : sonde.wait(record, { ...ANY_TIME, signal });
}

async function followed(run: WithSonde): Promise<Invocation> {
  const { sonde, flags, output, interrupt, signal } = run;
  const { stream, json } = flags;
  const idempotencyKey = crypto.randomUUID();
  const args = argumentsOf(run);
  interrupt.cancel = async () => {
    const options = { ...CANCELLING, idempotencyKey, stream };
    await sonde.cancel(await sonde.submit(TOOL, args, options), CANCELLING);
  };
  const options = { ...ANY_TIME, idempotencyKey, stream, signal };
  const record = await sonde.submit(TOOL, args, options);
  begun(run, record);
  for await (const event of sonde.events(record, { signal })) {
    if (event.type === 'progress') output.live.progress(event.data);
    if (stream && json) output.write(`${JSON.stringify(event)}\n`);
    else if (stream && event.type === 'output_text')
      output.write(event.data.text);
  }
  // Final already, but after a gap.
  return sonde.wait(record, { ...ANY_TIME, signal });
}

function begun({ sonde, output, interrupt }: WithSonde, record: Invocation) {
  output.note('invocation_id', record.invocation_id);
  output.note('invocation_token', record.invocation_token);
  interrupt.cancel = () => sonde.cancel(record, CANCELLING);
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
