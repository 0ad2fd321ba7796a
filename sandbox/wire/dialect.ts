/** The format of replies: that of the service itself, or of a LiteLLM proxy in front of it. */
export type Dialect = 'openai' | 'litellm';
