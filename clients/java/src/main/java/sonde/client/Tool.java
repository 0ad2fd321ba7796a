package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A registered tool.
 *
 * @param name e.g. {@code deep_research}
 * @param description what it is for
 * @param parameters JSON Schema of the arguments
 * @param returns JSON Schema of the result; null where the tool does not tell
 * @param source {@code builtin}, or {@code mcp:<server>}
 * @param annotations hints on what it does, in the terms of the Model Context Protocol
 */
public record Tool(
        String name, String description, JsonNode parameters, JsonNode returns, String source, JsonNode annotations) {
    /** Makes null of JSON's null. */
    public Tool {
        returns = Json.orNull(returns);
        annotations = Json.orNull(annotations);
    }
}
