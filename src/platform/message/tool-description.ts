export type JsonSchema = Record<string, unknown>;

/** A tool as a model is shown it. */
export interface ToolDescription {
  name: string;
  description: string;
  parameters: JsonSchema;
  /**
   * If absent, `parameters` are strict: every property is required, optional ones are nullable, and no others are allowed.
   * False: the schema could not be made strict and is sent as the server of the tool declared it.
   */
  strict?: boolean;
  returns?: JsonSchema;
}
