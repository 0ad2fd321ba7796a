import { noSuchModel } from '../../platform/http/openai/openai-error';

/** @throws OpenAiRefusal `model_not_found`. */
export function checkModel(model: string, chatModels: readonly string[]): void {
  if (!chatModels.includes(model)) throw noSuchModel(model);
}
