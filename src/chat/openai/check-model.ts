import { OpenAiRefusal } from '../../platform/http/openai/openai-error';

/** Names of models that research, whatever carries it. */
const RESEARCH = /(^|[/-])(deep-research|sonde-research)/;

/** @throws OpenAiRefusal `model_not_found`. */
export function checkModel(model: string, chatModels: readonly string[]): void {
  if (chatModels.includes(model)) return;
  const named = `The model '${model.slice(0, 100)}'`;
  const message = RESEARCH.test(model)
    ? `${named} is not a chat model: research is at /v1/responses, by the names that /v1/models lists. A chat model can research by itself here.`
    : `${named} does not exist or you do not have access to it.`;
  throw new OpenAiRefusal('model_not_found', message, 'model', 404);
}
