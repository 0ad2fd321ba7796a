package sonde.client;

import java.time.Duration;

/**
 * Options of a tool run. Immutable: each method returns a copy.
 *
 * @param idempotencyKey 1 to 255 printable characters; null to generate one
 * @param timeout time limit of the call; null for ten minutes for {@code invoke}, the client's for {@code submit}
 * @param waitAtMost time after which the service replies with an unfinished record; null for its maximum
 * @param priority {@code high}, {@code normal} or {@code low}; null for normal
 * @param webhook an https URL that is notified when the run ends; null for none
 * @param stream {@code submit} only: sets the mode of the record to stream
 * @param strict {@code invoke} only: a failed run throws a {@link SondeApiException} instead of returning its record
 */
public record InvokeOptions(
        String idempotencyKey, Duration timeout, Duration waitAtMost, String priority, String webhook, boolean stream,
        boolean strict) {
    /**
     * Creates options that are not strict.
     *
     * @param idempotencyKey 1 to 255 printable characters; null to generate one
     * @param timeout time limit of the call; null for the default
     * @param waitAtMost time after which the service replies with an unfinished record; null for its maximum
     * @param priority {@code high}, {@code normal} or {@code low}; null for normal
     * @param webhook an https URL that is notified when the run ends; null for none
     * @param stream {@code submit} only: sets the mode of the record to stream
     */
    public InvokeOptions(
            String idempotencyKey, Duration timeout, Duration waitAtMost, String priority, String webhook, boolean stream) {
        this(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, false);
    }

    /** The defaults. */
    public static final InvokeOptions DEFAULT = new InvokeOptions(null, null, null, null, null, false, false);

    /**
     * @param idempotencyKey 1 to 255 printable characters
     * @return a copy with it
     */
    public InvokeOptions idempotencyKey(String idempotencyKey) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param timeout time limit of the call
     * @return a copy with it
     */
    public InvokeOptions timeout(Duration timeout) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param waitAtMost time after which the service replies, in whole seconds
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
     * @param webhook an https URL that is notified when the run ends
     * @return a copy with it
     */
    public InvokeOptions webhook(String webhook) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param stream {@code submit} only: sets the mode of the record to stream
     * @return a copy with it
     */
    public InvokeOptions stream(boolean stream) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /**
     * @param strict {@code invoke} only: a failed run throws a {@link SondeApiException} instead of returning its
     *     record
     * @return a copy with it
     */
    public InvokeOptions strict(boolean strict) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict);
    }

    /** Omits the webhook, which may contain a token, so that it is safe to log. */
    @Override
    public String toString() {
        return "InvokeOptions[" + idempotencyKey + ", timeout=" + timeout + ", waitAtMost=" + waitAtMost
                + ", priority=" + priority + ", stream=" + stream + ", strict=" + strict + "]";
    }
}
