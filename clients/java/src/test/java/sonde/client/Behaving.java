package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.StreamSupport;

/** Functions that do what the {@code $run} of a case says. */
final class Behaving {
    private final Map<Integer, CountDownLatch> meetings = new ConcurrentHashMap<>();

    private Behaving() {}

    static Object[] functions(JsonNode functions) {
        Behaving behaving = new Behaving();
        return StreamSupport.stream(functions.spliterator(), false).map(behaving::made).toArray();
    }

    @SuppressWarnings("unchecked")
    private Object made(JsonNode function) {
        ObjectNode description = function.deepCopy();
        JsonNode does = description.remove("$run");
        if (does == null) return Json.convert(description, Map.class);
        return ChatFunction.of(
                description.path("name").asText(),
                description.path("description").asText(),
                Json.convert(description.path("parameters"), Map.class),
                arguments -> run(does));
    }

    private Object run(JsonNode does) throws Exception {
        if (does.has("meets")) {
            CountDownLatch meeting = meetings.computeIfAbsent(does.path("meets").asInt(), CountDownLatch::new);
            meeting.countDown();
            meeting.await();
        }
        if (does.path("hangs").asBoolean()) new CountDownLatch(1).await();
        if (does.has("raises")) throw new IllegalStateException(does.path("raises").asText());
        JsonNode returns = Json.orNull(does.get("returns"));
        return returns != null && returns.isTextual() ? returns.asText() : returns;
    }
}
