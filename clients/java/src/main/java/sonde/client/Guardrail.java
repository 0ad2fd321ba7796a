package sonde.client;

/**
 * The guardrail that blocked a request or an answer.
 *
 * @param stage {@code input}, {@code output}, {@code tool_input} or {@code tool_output}
 * @param name of the guardrail
 * @param toolName of the call that it blocked; null otherwise
 */
public record Guardrail(String stage, String name, String toolName) {}
