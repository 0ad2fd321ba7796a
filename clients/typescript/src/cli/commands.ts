import { SondeProtocolError } from '../errors.js';
import type { Invocation } from '../types.js';
import { isFinal, isSettled } from '../sonde-client.js';
import * as chats from './chat.js';
import type { Command } from './command-flags.js';
import { oneLine } from './terminal/live.js';
import * as plans from './plan.js';
import * as research from './research.js';
import { MAX_TIMEOUT, type WithSonde } from './run.js';
import { ChatOutput } from './chat-output.js';

/** Maximum length of a question in the list, in characters. */
const SHOWN = 100;

/** Runs a command on an existing run, whose id is the prompt. */
export async function command(
  run: WithSonde & { command: Command },
): Promise<number> {
  if (run.command === 'list') return list(run);
  const isChat = run.prompt.startsWith('chat_');
  return isChat ? ofChat(run) : ofInvocation(run);
}

async function list({ sonde, flags, output, signal }: WithSonde) {
  const page = await sonde.list({}, { ...MAX_TIMEOUT, signal });
  if (!Array.isArray(page.data))
    throw new SondeProtocolError('the server responded without a list');
  if (flags.json) output.write(JSON.stringify(page));
  else for (const record of page.data) output.write(`${lineOf(record)}\n`);
  if (page.has_more) output.log('sonde: older runs are not shown');
  return 0;
}

function lineOf(record: Invocation): string {
  const { invocation_id, status, created_at, tool_name, question } = record;
  const characters = Array.from(oneLine(question ?? ''));
  const cut = characters.slice(0, SHOWN).join('');
  const text = characters.length > SHOWN ? `${cut}…` : cut;
  return [invocation_id, status, created_at, tool_name, text].join('\t');
}

async function ofInvocation(run: WithSonde & { command: Command }) {
  const { sonde, tokens, output, prompt, interrupt } = run;
  const limits = { ...MAX_TIMEOUT, signal: run.signal };
  const token = tokens.of(prompt) ?? null;
  const ref = { invocation_id: prompt, invocation_token: token };
  if (run.command === 'attach') {
    interrupt.track(research.activeRun(run, ref));
    return research.end(run, await research.follow(run, ref));
  }
  if (run.command === 'get') {
    const record = await sonde.get(ref, limits);
    if (isSettled(record)) return research.end(run, record);
    if (run.flags.json) output.write(JSON.stringify(record));
    return unfinished(run, record.status);
  }
  if (run.command === 'continue') return plans.continueRun(run, ref);
  const isPlan = run.command === 'plan';
  if (isPlan && !run.flags.refuse) return plans.plan(run, ref);
  // The run of a plan that is refused is cancelled.
  const record = await (isPlan
    ? plans.decide(run, ref)
    : sonde.cancel(ref, limits));
  const last = isFinal(record) ? record : await sonde.wait(ref, limits);
  if (run.flags.json) output.write(JSON.stringify(last));
  return cancelled(run, last.status);
}

async function ofChat(run: WithSonde & { command: Command }) {
  const { sonde, tokens, output, prompt, interrupt } = run;
  const limits = { ...MAX_TIMEOUT, signal: run.signal };
  const token = tokens.of(prompt) ?? null;
  const ref = { chat_id: prompt, invocation_token: token };
  if (run.command === 'cancel') {
    const reply = await sonde.chats.cancel(ref, limits);
    const open = reply.status === 'queued' || reply.status === 'running';
    const last = open ? await sonde.chats.wait(ref, limits) : reply;
    if (run.flags.json) output.write(JSON.stringify(last));
    return cancelled(run, last.status);
  }
  const shown = new ChatOutput(run, true);
  if (run.command === 'attach') {
    interrupt.track(chats.activeRun(run, ref));
    const reply = await chats.follow(run, shown, ref);
    shown.reply(reply);
    return shown.end(reply);
  }
  const reply = await sonde.chats.get(ref, limits);
  if (reply.status === 'queued' || reply.status === 'running') {
    if (run.flags.json) output.write(JSON.stringify(reply));
    return unfinished(run, reply.status);
  }
  shown.reply(reply);
  return shown.end(reply);
}

function unfinished({ output, prompt }: WithSonde, status: string): number {
  output.log(
    `sonde: ${prompt} is ${status}; to follow it: sonde attach ${prompt}`,
  );
  return 4;
}

function cancelled({ output, prompt }: WithSonde, status: string): number {
  if (status === 'cancelled') {
    output.log(`${prompt} is cancelled; cost incurred so far is not refunded`);
    return 0;
  }
  output.log(`sonde: ${prompt} has already ended: ${status}`);
  return 1;
}
