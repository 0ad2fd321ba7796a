package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One event of an invocation.
 *
 * @param id resumes after it, see {@link EventOptions#lastEventId}; null for {@code gap}
 * @param type {@code status}, {@code progress}, {@code output_text}, {@code completed}, {@code error}, {@code gap}, or
 *     what a later service may tell
 * @param invocationId of whom
 * @param status of the invocation by then
 * @param data as the type has it, e.g. {@code {"text": "…"}} of {@code output_text}
 */
public record InvocationEvent(String id, String type, String invocationId, String status, JsonNode data) {
    /** @return what an {@code output_text} adds to the report; empty for any other */
    public String text() {
        return "output_text".equals(type) ? data.path("text").asText("") : "";
    }

    /** Without the data: safe to log. */
    @Override
    public String toString() {
        return "InvocationEvent[" + id + ", " + type + ", " + invocationId + ", " + status + "]";
    }
}
