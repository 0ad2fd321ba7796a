export type JsonSchema = Record<string, unknown>;

/** A tool as a model sees it. */
export interface ToolDescription {
  name: string;
  description: string;
  parameters: JsonSchema;
  /**
   * Absent: `parameters` are strict, that is every property required, optional ones nullable, nothing else allowed.
   * False: they could not be made so, and are as the tool's server gave them.
   */
  strict?: boolean;
  returns?: JsonSchema;
}
