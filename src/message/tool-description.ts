export type JsonSchema = Record<string, unknown>;

/** A tool as a model sees it. */
export interface ToolDescription {
  name: string;
  description: string;
  /** Strict: every property required, optional ones nullable, nothing else allowed. */
  parameters: JsonSchema;
}
