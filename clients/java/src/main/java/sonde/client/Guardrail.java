package sonde.client;

/**
 * The guardrail that refused a request or an answer.
 *
 * @param stage {@code input}, {@code output}, {@code tool_input} or {@code tool_output}
 * @param name which
 * @param toolName of the call that it refused; null otherwise
 */
public record Guardrail(String stage, String name, String toolName) {}
