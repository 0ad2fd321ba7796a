import { registerHooks } from 'node:module';

/**
 * ⏎ Breaks the OpenAI Agents SDK: `AGENTS_FAULT=import`, `first-request` (before any request to the model),
 * `after-tool` (when it would send a tool result to the model), or `mid-stream`: on SIGUSR2, while the model answers.
 */
const { AGENTS_FAULT } = process.env;

const BREAKS = `
async function brokenResponse(model, request) {
  const called = request.input.some(({ type }) => type === 'function_call_result');
  const broken = new Error('the SDK is broken on purpose');
  if (${AGENTS_FAULT === 'first-request'}) throw broken;
  if (${AGENTS_FAULT === 'after-tool'} && called) throw broken;
  return Promise.race([
    model.getResponse(request),
    new Promise((_, reject) => process.once('SIGUSR2', () => reject(broken))),
  ]);
}
`;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@openai/agents' && AGENTS_FAULT === 'import')
      throw new Error('the SDK is broken on purpose');
    return next(specifier, context);
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/runner/modelRetry.mjs')) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    const broken = source.replace(
      'await model.getResponse(',
      'await brokenResponse(model, ',
    );
    if (broken === source) throw new Error('There is no call to break.');
    return { ...loaded, source: broken + BREAKS };
  },
});
