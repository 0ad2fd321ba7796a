package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * An event of a chat.
 *
 * @param id position to resume a stored chat after; may be null
 * @param type {@code delta}, {@code tool_call}, {@code tool_progress}, {@code tool_result}, {@code handoff}
 *     (from an agent to another), {@code completed} (the whole reply), {@code error}, or a type added later
 * @param data depends on the type
 */
public record ChatEvent(String id, String type, JsonNode data) {
    /** @return the text that a {@code delta} adds; empty for all other types */
    public String text() {
        if (!"delta".equals(type)) return "";
        return StreamSupport.stream(data.path("contents").spliterator(), false)
                .filter(part -> part.path("type").asText().equals("text"))
                .map(part -> part.path("text").asText(""))
                .collect(Collectors.joining());
    }

    /** @return the whole reply of {@code completed}; null for all other types */
    public ChatReply reply() {
        return "completed".equals(type) ? Errors.converted(data, ChatReply.class) : null;
    }

    /** Omits the data, which may contain a token and message content, so that it is safe to log. */
    @Override
    public String toString() {
        return "ChatEvent[" + id + ", " + type + "]";
    }
}
