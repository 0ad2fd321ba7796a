package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * One event of a chat.
 *
 * @param id resumes a chat on record after it; may be null
 * @param type {@code delta}, {@code tool_call}, {@code tool_progress}, {@code tool_result}, {@code completed} (the whole
 *     reply), {@code error}, or what a later service may tell
 * @param data as the type has it
 */
public record ChatEvent(String id, String type, JsonNode data) {
    /** @return what a {@code delta} adds to what the model says; empty for any other */
    public String text() {
        if (!"delta".equals(type)) return "";
        return StreamSupport.stream(data.path("contents").spliterator(), false)
                .filter(part -> part.path("type").asText().equals("text"))
                .map(part -> part.path("text").asText(""))
                .collect(Collectors.joining());
    }

    /** @return the whole reply of {@code completed}; null for any other */
    public ChatReply reply() {
        return "completed".equals(type) ? Errors.converted(data, ChatReply.class) : null;
    }

    /** Without the data, which may have a token in it, and what was said: safe to log. */
    @Override
    public String toString() {
        return "ChatEvent[" + id + ", " + type + "]";
    }
}
