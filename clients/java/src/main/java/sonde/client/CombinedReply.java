package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** One reply of the turns of a chat. */
final class CombinedReply {
    private static final List<String> RESEARCH = List.of("research_summary", "citations", "sources");

    private CombinedReply() {}

    /** The later reply, with the tools, the research, the tokens and the cost of the earlier. */
    static ObjectNode of(JsonNode earlier, JsonNode later) {
        ObjectNode all = later.deepCopy();
        all.put("tool_called", earlier.path("tool_called").asBoolean() || later.path("tool_called").asBoolean());
        String first = Json.text(earlier, "tool_name");
        String second = Json.text(later, "tool_name");
        all.put("tool_name", first == null || ResearchTool.NAME.equals(second) ? second : first);
        all.putArray("tool_calls")
                .addAll(list(earlier.path("tool_calls")))
                .addAll(list(later.path("tool_calls")));
        if (!later.hasNonNull("research_summary") && earlier.hasNonNull("research_summary"))
            for (String field : RESEARCH) all.set(field, earlier.get(field));
        all.set("usage", sum(Json.orNull(earlier.get("usage")), Json.orNull(later.get("usage"))));
        all.set("cost", both(Json.orNull(earlier.get("cost")), Json.orNull(later.get("cost"))));
        return all;
    }

    private static ArrayNode list(JsonNode node) {
        return node instanceof ArrayNode list ? list : JsonNodeFactory.instance.arrayNode();
    }

    private static JsonNode sum(JsonNode a, JsonNode b) {
        if (a == null || b == null) return a == null ? b : a;
        ObjectNode sum = b.deepCopy();
        for (Map.Entry<String, JsonNode> field : b.properties())
            sum.put(field.getKey(), a.path(field.getKey()).asLong() + field.getValue().asLong());
        return sum;
    }

    /** Null if one of them is unknown. */
    private static JsonNode both(JsonNode a, JsonNode b) {
        if (a == null || b == null) return null;
        ObjectNode both = b.deepCopy();
        both.put("spent", a.path("spent").asDouble() + b.path("spent").asDouble());
        if (a.path("source").asText().equals("prices")) both.put("source", "prices");
        return both;
    }
}
