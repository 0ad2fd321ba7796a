import { registerHooks } from 'node:module';

/**
 * ⏎ Breaks the OpenAI Agents SDK: `AGENTS_FAULT=import`, `first-request` (before any request to the model),
 * `after-tool` (when it would send a tool result to the model), or `mid-stream`: on SIGUSR2, while the model answers.
 */
const { AGENTS_FAULT } = process.env;

const BREAKS = `
const getResponse = OpenAIResponsesModel.prototype.getResponse;
OpenAIResponsesModel.prototype.getResponse = async function (request) {
  const called = request.input.some(({ type }) => type === 'function_call_result');
  const broken = new Error('the SDK is broken on purpose');
  if (${AGENTS_FAULT === 'first-request'}) throw broken;
  if (${AGENTS_FAULT === 'after-tool'} && called) throw broken;
  return Promise.race([
    getResponse.call(this, request),
    new Promise((_, reject) => process.once('SIGUSR2', () => reject(broken))),
  ]);
};
`;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@openai/agents' && AGENTS_FAULT === 'import')
      throw new Error('the SDK is broken on purpose');
    return next(specifier, context);
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/openaiResponsesModel.mjs')) return loaded;
    return {
      ...loaded,
      source: `${Buffer.from(loaded.source as Uint8Array).toString()}${BREAKS}`,
    };
  },
});
