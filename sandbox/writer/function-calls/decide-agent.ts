import type { FunctionTool } from 'openai/resources/responses/responses';
import { tokensOf } from '../../corpus/tokens';
import type { Conversation } from '../request/conversation';

const HANDOFF = 'transfer_to_';
/** Tools that are not chosen by their words. */
const OTHERS = ['deep_research', 'ask_user'];
/** The line of the instructions that makes a model use its tools without naming them. */
const USES_TOOLS = /^[ \t]*use your tools\.?[ \t]*$/im;

export const isHandoff = ({ name }: Pick<FunctionTool, 'name'>) =>
  name.startsWith(HANDOFF);

/**
 * The call of one of several agents: the agent or tool whose name and description share most words with the question.
 * Nothing is handed over twice, nor on a tie; an agent that received the question calls its best tool even if it
 * matches badly. Undefined without agents or a match.
 */
export function agentsChoice(
  functions: FunctionTool[],
  instructions: string,
  question: string,
  talk: Conversation,
): FunctionTool | undefined {
  const questionTokens = [...new Set(tokensOf(question))];
  const rate = (tool: FunctionTool) => {
    const words = `${tool.name.replace(HANDOFF, '')} ${tool.description ?? ''}`;
    const toolTokens = new Set(tokensOf(words));
    return {
      tool,
      score: questionTokens.filter((token) => toolTokens.has(token)).length,
    };
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
