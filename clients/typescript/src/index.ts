export { SondeClient } from './sonde-client.js';
export type {
  ChatListQuery,
  ChatOptions,
  ContinueOptions,
  InvocationRef,
  InvokeOptions,
  ListQuery,
  ShareOptions,
  SondeClientOptions,
  SubmitOptions,
} from './options.js';
export { ModelClient } from './model-client.js';
export type {
  ChatCompletion,
  CompletionOptions,
  ModelClientOptions,
  ModelResponse,
  ResponseOptions,
} from './model-client.js';
export type { ToolCallingOptions, ToolCallingResult } from './tool-calling.js';
export { DEEP_RESEARCH_TOOL } from './deep-research-tool.js';
export type { Answer, Approval, ChatRef, Chats } from './chats.js';
export type { RecordEventsOptions, RecordOptions } from './http/records.js';
export { accumulate, EMPTY_DELTA, finish, IncompleteMessage } from './delta.js';
export type { MessageDelta, PartDelta, ToolCallDelta } from './delta.js';
export type { ChatFunction, FunctionOptions } from './functions.js';
export type { CallOptions } from './http/clock.js';
export type { EventsOptions } from './http/event-stream.js';
export * from './errors.js';
export type * from './types.js';
export type * from './evidence-types.js';
export type * from './usage-types.js';
export type * from './estimate-types.js';
export type * from './sharing-types.js';
export { ReportFile } from './report-file.js';
export type { ReportFormat } from './report-file.js';
export type * from './chat-types.js';
export type * from './event-types.js';
export { VERSION } from './version.js';
