import type { ChatReply } from './chat-types.js';

/** The later of two replies of one chat, with the tools, the research, the tokens and the cost of the earlier one. */
export function combined(earlier: ChatReply, later: ChatReply): ChatReply {
  const { research_summary, citations, sources } =
    later.research_summary === null && earlier.research_summary !== null
      ? earlier
      : later;
  const names = [earlier.tool_name, later.tool_name];
  return {
    ...later,
    tool_called: earlier.tool_called || later.tool_called,
    tool_name:
      names.find((name) => name === 'deep_research') ??
      names[0] ??
      names[1] ??
      null,
    tool_calls: [...earlier.tool_calls, ...later.tool_calls],
    research_summary,
    citations,
    sources,
    usage: sum(earlier.usage, later.usage),
    cost: bothCosts(earlier.cost, later.cost),
  };
}

function sum(a: ChatReply['usage'], b: ChatReply['usage']): ChatReply['usage'] {
  if (!a || !b) return a ?? b;
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
  };
}

/** Null if one of them is unknown. */
function bothCosts(
  a: ChatReply['cost'],
  b: ChatReply['cost'],
): ChatReply['cost'] {
  if (!a || !b) return null;
  const source = a.source === 'prices' ? a.source : b.source;
  return { ...b, spent: a.spent + b.spent, source };
}
