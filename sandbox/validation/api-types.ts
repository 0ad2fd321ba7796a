import type { ChatCompletionCreateParamsBase } from 'openai/resources/chat/completions/completions';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import type {
  ResponseCreateParamsBase,
  ResponseRetrieveParamsBase,
} from 'openai/resources/responses/responses';

/** The request types from which `script/request-shapes.mjs` writes `request-shapes.json`. */
export type ResponsesBody = ResponseCreateParamsBase;
export type ChatBody = ChatCompletionCreateParamsBase;
export type EmbeddingBody = EmbeddingCreateParams;
export type RetrieveQuery = ResponseRetrieveParamsBase;
