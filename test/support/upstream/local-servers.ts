/** Settings and faults of the sandbox that make it what is known of a model server. */
export interface LocalServer {
  config: object;
  faults: object[];
}

/** A model whose template has tools. Its Responses API is a translation to Chat Completions that keeps nothing. */
export const LLAMA_CPP: LocalServer = {
  config: {
    strict_items: true,
    background: 'ignored',
    stores: false,
    schemas: 'chat_completions',
    slots: 1,
    context: { tokens: 8_192, server: 'llama.cpp' },
  },
  faults: [],
};

/** Started with neither a store nor a parser for tool calls, as it is by default. */
export const VLLM: LocalServer = {
  config: {
    background: 'unstored',
    stores: false,
    context: { tokens: 8_192, server: 'vllm' },
  },
  faults: [{ kind: 'refuse_tools', status: 400, count: 0 }],
};

/** Its Responses API takes what it has no notion of, and cuts what is too long in silence. */
export const OLLAMA: LocalServer = {
  config: {
    background: 'ignored',
    stores: false,
    context: { tokens: 4_096, server: 'ollama' },
  },
  faults: [],
};
