import { isObject } from '../api-error.js';
import { isUnderWay, type ModelResponse } from '../model-client.js';
import { RESEARCH_FAILED } from '../tool-calling.js';
import { CANCELLING } from './interrupt.js';
import { underWay } from './research.js';
import { ANY_TIME, type WithModel, type WithSonde } from './run.js';

/** `/v1/chat/completions`. */
export async function completion(run: WithModel): Promise<number> {
  const { model, prompt, flags, output, signal } = run;
  const { systemPrompt, context, json } = flags;
  const limits = { ...ANY_TIME, signal };
  const { id, content, completion } = await model.createChatCompletion(prompt, {
    systemPrompt,
    context,
    ...limits,
  });
  output.note('completion_id', id);
  output.write(json ? JSON.stringify(completion) : (content ?? ''));
  const [choice] = Array.isArray(completion.choices) ? completion.choices : [];
  const reason = isObject(choice) ? choice.finish_reason : undefined;
  if (reason !== 'length' && reason !== 'content_filter') return 0;
  output.say(`sonde: the response ended early: ${reason}`);
  return 1;
}

/** `/v1/responses`. */
export async function response(run: WithModel): Promise<number> {
  const { model, prompt, flags, output, interrupt, signal } = run;
  const { background, webSearch, context, json } = flags;
  const limits = { ...ANY_TIME, signal };
  let reply = await model.createResponse(prompt, {
    background,
    webSearch,
    instructions: flags.systemPrompt,
    context,
    ...limits,
  });
  const { id } = reply;
  output.note('response_id', id);
  // An endpoint that knows no background has answered already, and keeps nothing.
  if (isUnderWay(reply)) {
    const cancel = () => model.cancelResponse(id, CANCELLING);
    interrupt.knows({ id, cancel });
    reply = await model.waitForResponse(id, limits);
  }
  output.write(json ? JSON.stringify(reply.response) : reply.output_text);
  const fault = faultOf(reply);
  if (fault === undefined) return 0;
  output.say(`sonde: the response ${fault}`);
  return 1;
}

/** The model decides, and Sonde researches. */
export async function toolCalling(run: WithModel & WithSonde): Promise<number> {
  const { model, sonde, prompt, flags, output, interrupt } = run;
  const { systemPrompt, context, deliverableFormat } = flags;
  const result = await model.createResponseWithToolCalling(prompt, {
    sonde,
    systemPrompt,
    context,
    deliverableFormat,
    // Not the signal: what is there when the time is over is the answer.
    timeoutMs: Math.max(1, run.endsAt - Date.now()),
    onInvocation: (record) => {
      interrupt.knows(underWay(run, record));
      output.say('[deep_research was called automatically]');
      output.note('invocation_id', record.invocation_id);
      output.note('invocation_token', record.invocation_token);
    },
  });
  if (result.tool_called && result.invocation_id === null)
    output.say('[deep_research was called automatically]');
  output.note('response_id', result.response_id);
  output.note('previous_response_id', result.previous_response_id);
  output.note('tool_call_id', result.tool_call_id);
  output.note('upstream_response_id', result.upstream_response_id);
  output.write(flags.json ? JSON.stringify(result) : result.final_text);
  if (result.final_text === RESEARCH_FAILED)
    output.say('sonde: the research failed');
  else if (result.final_text.trim() === '')
    output.say('sonde: the response contains no text');
  else return 0;
  return 1;
}

function faultOf({ status, response }: ModelResponse): string | undefined {
  const { error, incomplete_details: details } = response;
  if (status === 'cancelled') return 'was cancelled';
  if (status === 'incomplete')
    return `ended early: ${isObject(details) ? String(details.reason) : status}`;
  if (status !== 'failed') return undefined;
  return `failed: ${isObject(error) ? String(error.message ?? error.code) : status}`;
}
