import type { FunctionTool } from 'openai/resources/responses/responses';
import { tokensOf } from '../../corpus/tokens';
import type { Conversation } from '../request/conversation';

const HANDOFF = 'transfer_to_';
/** Called for reasons of their own, not for their words. */
const OTHERS = ['deep_research', 'ask_user'];
/** The line of the instructions that makes a model reach for its tools without being told their names. */
const USES_TOOLS = /^[ \t]*use your tools\.?[ \t]*$/im;

export const isHandoff = ({ name }: Pick<FunctionTool, 'name'>) =>
  name.startsWith(HANDOFF);

/**
 * What one of several agents calls: the agent or the tool whose name and description share most words with the question.
 * Nothing is handed over twice, nor to one of several that fit alike; a tool that fits badly is called nonetheless by who
 * was handed the question. Undefined where there are no agents, or none fits.
 */
export function agentsChoice(
  functions: FunctionTool[],
  instructions: string,
  question: string,
  talk: Conversation,
): FunctionTool | undefined {
  const asked = [...new Set(tokensOf(question))];
  const rate = (tool: FunctionTool) => {
    const words = `${tool.name.replace(HANDOFF, '')} ${tool.description ?? ''}`;
    const told = new Set(tokensOf(words));
    return { tool, score: asked.filter((token) => told.has(token)).length };
  };
  const rated = (tools: FunctionTool[]) =>
    tools.map(rate).sort((a, b) => b.score - a.score);
  const others = talk.handedOver ? [] : functions.filter(isHandoff);
  const own = functions.filter(
    (tool) => !isHandoff(tool) && !OTHERS.includes(tool.name),
  );
  const [agent, next] = rated(others);
  const [tool] = USES_TOOLS.test(instructions) ? rated(own) : [];
  const least = Math.max(next?.score ?? 0, tool?.score ?? 0);
  if (agent && agent.score > least) return agent.tool;
  return tool && (tool.score > 0 || talk.handedOver) ? tool.tool : undefined;
}
