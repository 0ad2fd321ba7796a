package sonde.client;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A function that the model may call, and that the client runs. Immutable: each method returns a copy. */
public final class ChatFunction {
    /** What a function does. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs the function, in a thread of its own, which is interrupted when the result is no longer waited for.
         *
         * @param arguments an object, as the model chose it; it need not fit the schema
         * @return text, null, or any value that Jackson can serialize
         * @throws Exception whose message the model is told
         */
        Object run(JsonNode arguments) throws Exception;
    }

    private final Map<String, Object> fields;
    private final Body body;

    private ChatFunction(Map<String, Object> fields, Body body) {
        this.fields = Collections.unmodifiableMap(fields);
        this.body = body;
    }

    /**
     * @param name letters, digits, {@code _} and {@code -}, at most 64; not that of a tool of the chat
     * @param description what it does, for the model
     * @param parameters the JSON Schema of its arguments
     * @param body what it does
     * @return the function
     */
    public static ChatFunction of(String name, String description, Map<String, ?> parameters, Body body) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("description", description);
        fields.put("parameters", parameters);
        return new ChatFunction(fields, body);
    }

    /**
     * @param schema the JSON Schema of the result, for the model
     * @return a copy with it
     */
    public ChatFunction returns(Map<String, ?> schema) {
        return with("returns", schema);
    }

    /**
     * @param strict whether the model endpoint must hold the arguments to the schema
     * @return a copy with it
     */
    public ChatFunction strict(boolean strict) {
        return with("strict", strict);
    }

    /** @return what the service is told */
    @JsonValue
    public Map<String, Object> toMap() {
        return fields;
    }

    String name() {
        return (String) fields.get("name");
    }

    Body body() {
        return body;
    }

    private ChatFunction with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return new ChatFunction(more, body);
    }
}
