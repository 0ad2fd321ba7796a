package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event of an invocation.
 *
 * @param id position to resume after, see {@link EventOptions#lastEventId}; null for {@code gap}
 * @param type {@code status}, {@code progress}, {@code output_text}, {@code completed}, {@code error}, {@code gap},
 *     or a type added later
 * @param invocationId of the invocation
 * @param status of the invocation at that time
 * @param data depends on the type, e.g. {@code {"text": "…"}} of {@code output_text}
 */
public record InvocationEvent(String id, String type, String invocationId, String status, JsonNode data) {
    /** @return the text that an {@code output_text} adds to the report; empty for all other types */
    public String text() {
        return "output_text".equals(type) ? data.path("text").asText("") : "";
    }

    /** Omits the data, so that it is safe to log. */
    @Override
    public String toString() {
        return "InvocationEvent[" + id + ", " + type + ", " + invocationId + ", " + status + "]";
    }
}
