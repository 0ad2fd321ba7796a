import { isObject } from '../http/api-error.js';
import { isInProgress, type ModelResponse } from '../model-client.js';
import { CANCEL_TIMEOUT } from './terminal/interrupt.js';
import { activeRun } from './research.js';
import { MAX_TIMEOUT, type WithModel, type WithSonde } from './run.js';

/** `/v1/chat/completions`. */
export async function completion(run: WithModel): Promise<number> {
  const { model, prompt, flags, output, signal } = run;
  const { systemPrompt, context, json } = flags;
  const limits = { ...MAX_TIMEOUT, signal };
  const { id, content, completion } = await model.createChatCompletion(prompt, {
    systemPrompt,
    context,
    ...limits,
  });
  output.field('completion_id', id);
  output.write(json ? JSON.stringify(completion) : (content ?? ''));
  const [choice] = Array.isArray(completion.choices) ? completion.choices : [];
  const reason = isObject(choice) ? choice.finish_reason : undefined;
  if (reason !== 'length' && reason !== 'content_filter') return 0;
  output.log(`sonde: the response ended early: ${reason}`);
  return 1;
}

/** `/v1/responses`. */
export async function response(run: WithModel): Promise<number> {
  const { model, prompt, flags, output, interrupt, signal } = run;
  const { background, webSearch, context, json } = flags;
  const limits = { ...MAX_TIMEOUT, signal };
  let reply = await model.createResponse(prompt, {
    background,
    webSearch,
    instructions: flags.systemPrompt,
    context,
    ...limits,
  });
  const { id } = reply;
  output.field('response_id', id);
  // Endpoints without background mode reply with the finished response and store nothing.
  if (isInProgress(reply)) {
    const cancel = () => model.cancelResponse(id, CANCEL_TIMEOUT);
    interrupt.track({ id, cancel });
    reply = await model.waitForResponse(id, limits);
  }
  output.write(json ? JSON.stringify(reply.response) : reply.output_text);
  const usageError = failureOf(reply);
  if (usageError === undefined) return 0;
  output.log(`sonde: the response ${usageError}`);
  return 1;
}

/** The model decides, and Sonde runs the research. */
export async function toolCalling(run: WithModel & WithSonde): Promise<number> {
  const { model, sonde, prompt, flags, output, interrupt } = run;
  const { systemPrompt, context, deliverableFormat } = flags;
  const result = await model.createResponseWithToolCalling(prompt, {
    sonde,
    systemPrompt,
    context,
    deliverableFormat,
    // No signal is passed: when the time has elapsed, the report obtained so far is the result.
    timeoutMs: Math.max(1, run.endsAt - Date.now()),
    onInvocation: (record) => {
      interrupt.track(activeRun(run, record));
      output.log('[deep_research was called automatically]');
      output.field('invocation_id', record.invocation_id);
      output.field('invocation_token', record.invocation_token);
    },
  });
  if (result.tool_called && result.invocation_id === null)
    output.log('[deep_research was called automatically]');
  output.field('response_id', result.response_id);
  output.field('previous_response_id', result.previous_response_id);
  output.field('tool_call_id', result.tool_call_id);
  output.field('upstream_response_id', result.upstream_response_id);
  output.write(flags.json ? JSON.stringify(result) : result.final_text);
  if (result.error)
    output.log(`sonde: the research failed: ${result.error.message}`);
  else if (result.final_text.trim() === '')
    output.log('sonde: the response contains no text');
  else return 0;
  return 1;
}

function failureOf({ status, response }: ModelResponse): string | undefined {
  const { error, incomplete_details: details } = response;
  if (status === 'cancelled') return 'was cancelled';
  if (status === 'incomplete')
    return `ended early: ${isObject(details) ? String(details.reason) : status}`;
  if (status !== 'failed') return undefined;
  return `failed: ${isObject(error) ? String(error.message ?? error.code) : status}`;
}
