package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Merges the deltas of a stream: the data of {@code delta} events of a chat. */
public final class Deltas {
    /** Fields that are concatenated: texts, Base64 data and arguments. Of all others the first value is used. */
    private static final Set<String> PIECES = Set.of("text", "data", "arguments", "thinking");

    private static final Set<String> LISTS = Set.of("contents", "tool_calls");
    private static final Set<String> OBJECTS = Set.of("image", "function");
    private static final List<String> LABELS = List.of("id", "role", "thinking", "tool_call_id", "name");
    private static final List<String> KINDS = List.of("text", "image", "function", "value");

    private Deltas() {}

    /** @return the identity of {@link #accumulate} */
    public static JsonNode empty() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * Merges two deltas. Associative, with {@link #empty} as its identity; neither argument is changed.
     *
     * @param a the first delta
     * @param b the second delta
     * @return both merged
     */
    public static JsonNode accumulate(JsonNode a, JsonNode b) {
        ObjectNode sum = a.deepCopy();
        for (Map.Entry<String, JsonNode> field : b.properties()) {
            String name = field.getKey();
            JsonNode more = field.getValue();
            JsonNode before = sum.get(name);
            if (before == null) sum.set(name, more.deepCopy());
            else if (LISTS.contains(name)) sum.set(name, byIndex(before, more));
            else if (OBJECTS.contains(name)) sum.set(name, accumulate(before, more));
            else if (PIECES.contains(name)) sum.put(name, before.asText() + more.asText());
        }
        return sum;
    }

    /** Joins entries of the same index, at the position of the first. */
    private static ArrayNode byIndex(JsonNode a, JsonNode b) {
        Map<Double, JsonNode> entries = new LinkedHashMap<>();
        for (JsonNode list : List.of(a, b))
            for (JsonNode entry : list) entries.merge(entry.path("index").asDouble(), entry, Deltas::accumulate);
        return JsonNodeFactory.instance.arrayNode().addAll(entries.values());
    }

    /**
     * @param delta all deltas of a message, merged
     * @return the message
     * @throws IncompleteMessageException that names the missing field
     */
    public static JsonNode finish(JsonNode delta) {
        if (!delta.has("role")) throw new IncompleteMessageException("it has no role");
        if (delta.path("role").asText().equals("tool") && !delta.has("tool_call_id"))
            throw new IncompleteMessageException("it does not say which call it answers");
        ObjectNode message = JsonNodeFactory.instance.objectNode();
        for (String label : LABELS) if (delta.has(label)) message.set(label, delta.get(label));
        ArrayNode contents = message.putArray("contents");
        for (JsonNode part : inOrder(delta.path("contents"))) contents.add(part(part));
        if (!delta.has("tool_calls")) return message;
        ArrayNode calls = message.putArray("tool_calls");
        for (JsonNode call : inOrder(delta.path("tool_calls"))) calls.add(call(call));
        return message;
    }

    private static List<JsonNode> inOrder(JsonNode list) {
        List<JsonNode> entries = new ArrayList<>();
        byIndex(list, empty()).forEach(entries::add);
        entries.sort(Comparator.comparingDouble(entry -> entry.path("index").asDouble()));
        return entries;
    }

    private static JsonNode part(JsonNode part) {
        String at = "contents." + part.path("index").asText();
        if (!part.has("type")) throw new IncompleteMessageException(at + " has no type");
        String type = part.path("type").asText();
        if (KINDS.stream().anyMatch(kind -> !kind.equals(type) && part.has(kind)))
            throw new IncompleteMessageException(at + " is of several types");
        if (!part.has(type)) throw new IncompleteMessageException(at + " is a " + type + " that never began");
        JsonNode value = part.get(type).deepCopy();
        if (type.equals("image") && !value.has("url") && !value.has("data"))
            throw new IncompleteMessageException(at + " is an image without url or data");
        if (type.equals("function") && value.path("name").asText().isEmpty())
            throw new IncompleteMessageException(at + " is a call without a name");
        if (type.equals("function") && !value.has("arguments")) ((ObjectNode) value).put("arguments", "");
        ObjectNode finished = JsonNodeFactory.instance.objectNode().put("type", type);
        return finished.set(type, value);
    }

    private static JsonNode call(JsonNode call) {
        String at = "tool_calls." + call.path("index").asText();
        String name = call.path("function").path("name").asText();
        if (name.isEmpty()) throw new IncompleteMessageException(at + " has no name");
        JsonNode arguments = arguments(call.path("function").path("arguments").asText());
        if (arguments == null) throw new IncompleteMessageException(at + " has arguments that are no JSON object");
        ObjectNode finished = JsonNodeFactory.instance.objectNode().put("type", "function");
        if (call.has("id")) finished.set("id", call.get("id"));
        finished.putObject("function").put("name", name).set("arguments", arguments);
        return finished;
    }

    /** Null if the text is not a JSON object. */
    private static JsonNode arguments(String text) {
        try {
            // Some models send an empty string for empty arguments.
            JsonNode parsed = Json.parse(text.isBlank() ? "{}" : text);
            return parsed.isObject() ? parsed : null;
        } catch (IOException e) {
            return null;
        }
    }
}
