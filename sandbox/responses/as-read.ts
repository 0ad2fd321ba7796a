import type { Tool } from 'openai/resources/responses/responses';
import type { ChatCompletionTool } from 'openai/resources/chat/completions';
import type { Settings } from '../control/settings';
import type { Ask } from '../writer/request/ask';
import { countTokens } from './usage';

/** What reaches the model: a server may drop the schema, and the chat template of the model its tools. */
export function asRead(
  ask: Ask,
  { model, tools }: { model: string; tools: (Tool | ChatCompletionTool)[] },
  at: 'responses' | 'chat_completions',
  { schemas, models }: Settings,
): Ask {
  const { drops_tools = false, thinks = 0 } = models[model] ?? {};
  const obeyed = schemas === 'all' || schemas === at;
  const functions = tools.filter(({ type }) => type === 'function');
  const kept = drops_tools ? [] : functions;
  return {
    ...ask,
    thinks,
    toolTokens: kept.length > 0 ? countTokens(JSON.stringify(kept)) : 0,
    ...(drops_tools && { functions: [], hosted: [], canSearch: false }),
    ...(!obeyed && { format: { type: 'text' as const } }),
  };
}
