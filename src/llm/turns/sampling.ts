/** How a model is to write its answer, as a caller asks for it. What an endpoint refuses by name is left out. */
export interface Sampling {
  temperature?: number;
  topP?: number;
  /** Of one turn, its reasoning included. */
  maxTokens?: number;
  reasoningEffort?: string;
  /** Texts before which the answer ends. The Responses API has no field for them. */
  stop?: string[];
  /** Of the answer; a model whose tools are described in the prompt may ignore it. */
  format?: AnswerFormat;
}

export type AnswerFormat =
  | { type: 'json_object' }
  | {
      type: 'json_schema';
      name: string;
      description?: string;
      schema: Record<string, unknown>;
      strict?: boolean;
    };

/** The fields of a request over the Responses API. */
export function responsesSampling(sampling: Sampling = {}): object {
  const { temperature, topP, maxTokens, reasoningEffort, format } = sampling;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(reasoningEffort !== undefined && {
      reasoning: { effort: reasoningEffort },
    }),
    ...(format && { text: { format } }),
  };
}

/** The fields of a request over Chat Completions. */
export function completionsSampling(sampling: Sampling = {}): object {
  const { temperature, topP, maxTokens, reasoningEffort, stop, format } =
    sampling;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stop && { stop }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
    ...(format && { response_format: completionsFormat(format) }),
  };
}

function completionsFormat(format: AnswerFormat): object {
  if (format.type === 'json_object') return format;
  const { type, ...json_schema } = format;
  return { type, json_schema };
}

/**
 * The field of a request over Chat Completions that limits its output where the caller does not: models that reason take only
 * the new name, many servers ignore it.
 */
export function completionsLimit(tokens: number, reasons: boolean): object {
  return reasons ? { max_completion_tokens: tokens } : { max_tokens: tokens };
}
