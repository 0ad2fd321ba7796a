package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.UUID;

/** The requests that begin something, and when they may be sent again. */
final class Requests {
    static final String INVOCATIONS = "/api/v1/tool-invocations";
    static final String CHAT = "/api/v1/chat";

    private Requests() {}

    /** With a key of its own unless one is given: the same work is begun once, however often this is sent. */
    static Call invocation(String toolName, JsonNode arguments, InvokeOptions options) {
        if (!arguments.isObject()) throw new SondeUsageException("arguments must be an object");
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("tool_name", toolName);
        body.set("arguments", arguments);
        if (options.priority() != null) body.put("priority", options.priority());
        if (options.webhook() != null) body.putObject("webhook").put("url", options.webhook());
        String key = options.idempotencyKey();
        return Call.post(INVOCATIONS, body, Backoff.Policy.SAFE)
                .header("Idempotency-Key", key == null ? UUID.randomUUID().toString() : key)
                .header("Prefer", prefer(options.waitAtMost()))
                .timeout(options.timeout());
    }

    /** Without a key, it is sent again only where nothing was begun. */
    static Call chat(ChatRequest request, ChatOptions options) {
        boolean once = options.idempotencyKey() != null;
        return Call.post(CHAT, Json.tree(request), once ? Backoff.Policy.SAFE : Backoff.Policy.REFUSED)
                .header("Idempotency-Key", options.idempotencyKey())
                .header("Prefer", prefer(options.waitAtMost()))
                .timeout(options.timeout());
    }

    private static String prefer(Duration wait) {
        return wait == null ? null : "wait=" + wait.toSeconds();
    }
}
