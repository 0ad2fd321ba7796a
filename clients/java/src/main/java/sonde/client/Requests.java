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

    /**
     * With a key of its own unless one is given: the same work is begun once, however often this is sent.
     *
     * @param timeout unless the options have one; null: the endpoint's own
     */
    static Call invocation(String toolName, JsonNode arguments, InvokeOptions options, Duration timeout) {
        if (!arguments.isObject()) throw new SondeUsageException("arguments must be an object");
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("tool_name", toolName);
        body.set("arguments", arguments);
        if (options.priority() != null) body.put("priority", options.priority());
        if (options.webhook() != null) body.putObject("webhook").put("url", options.webhook());
        return Call.post(INVOCATIONS, body, Backoff.Policy.SAFE)
                .header("Idempotency-Key", orElse(options.idempotencyKey(), UUID.randomUUID().toString()))
                .header("Prefer", prefer(options.waitAtMost(), options.strict()))
                .timeout(orElse(options.timeout(), timeout));
    }

    /** Without a key, it is sent again only where nothing was begun. */
    static Call chat(ChatRequest request, ChatOptions options) {
        boolean once = options.idempotencyKey() != null;
        return Call.post(CHAT, Json.tree(request), once ? Backoff.Policy.SAFE : Backoff.Policy.REFUSED)
                .header("Idempotency-Key", options.idempotencyKey())
                .header("Prefer", prefer(options.waitAtMost(), false))
                .timeout(orElse(options.timeout(), SondeClient.ANSWER_TIMEOUT));
    }

    private static <T> T orElse(T value, T otherwise) {
        return value == null ? otherwise : value;
    }

    private static String prefer(Duration wait, boolean strict) {
        if (wait == null) return strict ? "handling=strict" : null;
        return "wait=" + wait.toSeconds() + (strict ? ", handling=strict" : "");
    }
}
