package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A registered tool.
 *
 * @param name e.g. {@code deep_research}
 * @param description its purpose
 * @param parameters JSON Schema of the arguments
 * @param returns JSON Schema of the result; null if the tool declares none
 * @param source {@code builtin}, or {@code mcp:<server>}
 * @param annotations behaviour hints as defined by the Model Context Protocol
 */
public record Tool(
        String name, String description, JsonNode parameters, JsonNode returns, String source, JsonNode annotations) {
    /** Converts JSON null to null. */
    public Tool {
        returns = Json.orNull(returns);
        annotations = Json.orNull(annotations);
    }
}
