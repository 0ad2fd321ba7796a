package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A chat whose functions this client runs: what is sent next, and what the turns so far have brought. */
final class FunctionChat {
    private final Map<String, ChatFunction> functions = new HashMap<>();
    private final ChatOptions options;
    private ObjectNode body;
    private JsonNode earlier;
    private int rounds;
    private int parts;
    private int partsBefore;
    private volatile FunctionRuns runs = new FunctionRuns();

    FunctionChat(ChatRequest request, ChatOptions options) {
        this.options = options;
        if (request.toMap().get("functions") instanceof List<?> all)
            for (Object each : all) if (each instanceof ChatFunction function) functions.put(function.name(), function);
        body = Json.tree(request).deepCopy();
    }

    /** The next request. */
    ObjectNode body() {
        return body;
    }

    /** The options of the next request. The key is of the first: a later one is another body. */
    ChatOptions options(Deadline deadline) {
        if (earlier == null) return options;
        Duration left = deadline.remaining();
        ChatOptions rest = options.timeout(left.isZero() ? Duration.ofMillis(1) : left);
        return rest.idempotencyKey() == null ? rest : rest.idempotencyKey(UUID.randomUUID().toString());
    }

    /** The reply with what the turns before it have brought. */
    JsonNode whole(JsonNode reply) {
        return earlier == null || reply == null ? reply : CombinedReply.of(earlier, reply);
    }

    /** The event, in which the parts of all turns are counted. */
    ChatEvent counted(ChatEvent event) {
        if (!event.type().equals("delta") || !event.data().path("contents").isArray()) return event;
        ObjectNode delta = event.data().deepCopy();
        for (JsonNode part : delta.path("contents")) {
            int index = part.path("index").asInt() + partsBefore;
            if (part instanceof ObjectNode fields) fields.put("index", index);
            parts = Math.max(parts, index + 1);
        }
        return new ChatEvent(event.id(), event.type(), delta);
    }

    /**
     * Runs the functions that the reply calls, and sets the next request.
     *
     * @param deadline of the whole chat; null for none
     * @return false if the chat goes on with no request
     * @throws SondeTimeoutException if the functions have not ended at the deadline
     */
    boolean goesOn(JsonNode reply, Deadline deadline) {
        if (reply == null || !reply.path("continuation").isArray()) return false;
        JsonNode calls = reply.path("message").path("tool_calls");
        for (JsonNode call : calls) if (!functions.containsKey(nameOf(call))) return false;
        if (calls.isEmpty() || rounds > options.roundsAtMost()) return false;
        List<String> told = rounds == options.roundsAtMost() ? refused(calls) : run(calls, deadline);
        rounds++;
        earlier = reply;
        partsBefore = parts;
        body = next(reply, told);
        return true;
    }

    /** Cancels what runs; may be called from another thread. */
    void cancel() {
        runs.cancel();
    }

    private List<String> run(JsonNode calls, Deadline deadline) {
        FunctionRuns started = new FunctionRuns();
        for (JsonNode call : calls)
            started.add(functions.get(nameOf(call)), call.path("function").path("arguments"));
        runs = started;
        Duration limit = options.functionLimit();
        Deadline own = deadline == null ? Deadline.in(limit) : deadline.atMost(limit);
        List<String> told = new ArrayList<>(started.told(own));
        if (told.contains(null) && deadline != null && deadline.isOver())
            throw new SondeTimeoutException("the functions of the chat have not ended within its time limit");
        String late = FunctionRuns.failure("FUNCTION_TIMEOUT", "It did not end within " + Seconds.of(limit) + " s.");
        told.replaceAll(each -> each == null ? late : each);
        return told;
    }

    private static List<String> refused(JsonNode calls) {
        String limit = FunctionRuns.failure("LIMIT_REACHED", "No more calls: answer from what is known.");
        List<String> told = new ArrayList<>();
        calls.forEach(call -> told.add(limit));
        return told;
    }

    private ObjectNode next(JsonNode reply, List<String> told) {
        ObjectNode next = body.deepCopy();
        ArrayNode messages = next.path("messages") instanceof ArrayNode given ? given : next.putArray("messages");
        if (body.path("message").isTextual()) messages.add(said("user", body.path("message").asText()));
        reply.path("continuation").forEach(messages::add);
        int at = 0;
        for (JsonNode call : reply.path("message").path("tool_calls")) {
            ObjectNode answer = said("tool", told.get(at++));
            if (call.hasNonNull("id")) answer.put("tool_call_id", call.path("id").asText());
            messages.add(answer.put("name", nameOf(call)));
        }
        // The choice is for the first turn of the model, which has been.
        return next.remove(List.of("message", "tool_choice"));
    }

    private static ObjectNode said(String role, String text) {
        ObjectNode message = JsonNodeFactory.instance.objectNode().put("role", role);
        message.putArray("contents").addObject().put("type", "text").put("text", text);
        return message;
    }

    private static String nameOf(JsonNode call) {
        return call.path("function").path("name").asText();
    }
}
