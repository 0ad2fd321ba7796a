package sonde.client;

import java.time.Duration;

/**
 * How a tool is run. Never changed: each method gives a new one.
 *
 * @param idempotencyKey 1 to 255 printable characters; null: a fresh one
 * @param timeout how long the reply may take; null: ten minutes for {@code invoke}, the client's for {@code submit}
 * @param waitAtMost how long the service waits for the end before it replies; null: as long as it can
 * @param priority {@code high}, {@code normal} or {@code low}; null: normal
 * @param webhook an https URL that is told of the end; null: none
 * @param stream {@code submit} only: the record is of mode stream
 * @param strict {@code invoke} only: what failed is a {@link SondeApiException} instead of a record that says so
 */
public record InvokeOptions(
        String idempotencyKey, Duration timeout, Duration waitAtMost, String priority, String webhook, boolean stream,
        boolean strict) {
    /**
     * The same, not strict.
     *
     * @param idempotencyKey 1 to 255 printable characters; null: a fresh one
     * @param timeout how long the reply may take; null: the default
     * @param waitAtMost how long the service waits for the end before it replies; null: as long as it can
     * @param priority {@code high}, {@code normal} or {@code low}; null: normal
     * @param webhook an https URL that is told of the end; null: none
     * @param stream {@code submit} only: the record is of mode stream
     */
    public InvokeOptions(
            String idempotencyKey, Duration timeout, Duration waitAtMost, String priority, String webhook, boolean stream) {
        this(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, false);
    }

    /** Nothing but defaults. */
    public static final InvokeOptions DEFAULT = new InvokeOptions(null, null, null, null, null, false, false);

    /**
     * @param idempotencyKey 1 to 255 printable characters
     * @return a copy with it
     */
    public InvokeOptions idempotencyKey(String idempotencyKey) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param timeout how long the reply may take
     * @return a copy with it
     */
    public InvokeOptions timeout(Duration timeout) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param waitAtMost how long the service waits for the end before it replies, in whole seconds
     * @return a copy with it
     */
    public InvokeOptions waitAtMost(Duration waitAtMost) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param priority {@code high}, {@code normal} or {@code low}
     * @return a copy with it
     */
    public InvokeOptions priority(String priority) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param webhook an https URL that is told of the end
     * @return a copy with it
     */
    public InvokeOptions webhook(String webhook) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param stream {@code submit} only: the record is of mode stream
     * @return a copy with it
     */
    public InvokeOptions stream(boolean stream) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param strict {@code invoke} only: what failed is a {@link SondeApiException} instead of a record that says so
     * @return a copy with it
     */
    public InvokeOptions strict(boolean strict) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /** Without the webhook, which may have a token in it: safe to log. */
    @Override
    public String toString() {
        return "InvokeOptions[" + idempotencyKey + ", timeout=" + timeout + ", waitAtMost=" + waitAtMost
                + ", priority=" + priority + ", stream=" + stream + ", strict=" + strict + "]";
    }
}
