/** Whose habits the replies have: the service's own, or those of a LiteLLM proxy before it. */
export type Dialect = 'openai' | 'litellm';
