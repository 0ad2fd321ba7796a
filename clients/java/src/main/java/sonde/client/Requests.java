package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.UUID;

/** The requests that start work, with their retry policies. */
final class Requests {
    static final String INVOCATIONS = "/api/v1/tool-invocations";
    static final String CHAT = "/api/v1/chat";

    private Requests() {}

    /**
     * Generates an idempotency key unless one is given, so that retries never start the work twice.
     *
     * @param timeout used unless the options have one; null for that of the client
     */
    static Call invocation(String toolName, JsonNode arguments, InvokeOptions options, Duration timeout) {
        if (!arguments.isObject()) throw new SondeUsageException("arguments must be an object");
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("tool_name", toolName);
        body.set("arguments", arguments);
        if (options.priority() != null) body.put("priority", options.priority());
        if (options.webhook() != null) body.putObject("webhook").put("url", options.webhook());
        if (options.metadata() != null) {
            ObjectNode metadata = body.putObject("metadata");
            options.metadata().forEach(metadata::put);
        }
        return Call.post(INVOCATIONS, body, Backoff.Policy.SAFE)
                .header("Idempotency-Key", orElse(options.idempotencyKey(), UUID.randomUUID().toString()))
                .header("Prefer", prefer(options.waitAtMost(), options.strict()))
                .timeout(orElse(options.timeout(), timeout));
    }

    /** Without a key, it is retried only if the service guarantees that no work was started. */
    static Call chat(JsonNode request, ChatOptions options) {
        boolean once = options.idempotencyKey() != null;
        return Call.post(CHAT, request, once ? Backoff.Policy.SAFE : Backoff.Policy.REFUSED)
                .header("Idempotency-Key", options.idempotencyKey())
                .header("Prefer", prefer(options.waitAtMost(), false))
                .timeout(options.limit());
    }

    private static <T> T orElse(T value, T otherwise) {
        return value == null ? otherwise : value;
    }

    private static String prefer(Duration wait, boolean strict) {
        if (wait == null) return strict ? "handling=strict" : null;
        return "wait=" + wait.toSeconds() + (strict ? ", handling=strict" : "");
    }
}
