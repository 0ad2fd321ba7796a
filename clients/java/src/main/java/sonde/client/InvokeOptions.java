package sonde.client;

import java.time.Duration;
import java.util.Map;

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
 * @param metadata up to 16 pairs that are kept with the record; null for none
 */
public record InvokeOptions(
        String idempotencyKey, Duration timeout, Duration waitAtMost, String priority, String webhook, boolean stream,
        boolean strict, Map<String, String> metadata) {
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
        this(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, false, null);
    }

    /** The defaults. */
    public static final InvokeOptions DEFAULT = new InvokeOptions(null, null, null, null, null, false, false, null);

    /**
     * @param idempotencyKey 1 to 255 printable characters
     * @return a copy with it
     */
    public InvokeOptions idempotencyKey(String idempotencyKey) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict, metadata);
    }

    /**
     * @param timeout time limit of the call
     * @return a copy with it
     */
    public InvokeOptions timeout(Duration timeout) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict, metadata);
    }

    /**
     * @param waitAtMost time after which the service replies, in whole seconds
     * @return a copy with it
     */
    public InvokeOptions waitAtMost(Duration waitAtMost) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict, metadata);
    }

    /**
     * @param priority {@code high}, {@code normal} or {@code low}
     * @return a copy with it
     */
    public InvokeOptions priority(String priority) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict, metadata);
    }

    /**
     * @param webhook an https URL that is notified when the run ends
     * @return a copy with it
     */
    public InvokeOptions webhook(String webhook) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict, metadata);
    }

    /**
     * @param stream {@code submit} only: sets the mode of the record to stream
     * @return a copy with it
     */
    public InvokeOptions stream(boolean stream) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict, metadata);
    }

    /**
     * @param strict {@code invoke} only: a failed run throws a {@link SondeApiException} instead of returning its
     *     record
     * @return a copy with it
     */
    public InvokeOptions strict(boolean strict) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict, metadata);
    }

    /**
     * @param metadata up to 16 pairs that are kept with the record: keys of at most 64 characters, values of at most 512
     * @return a copy with it
     */
    public InvokeOptions metadata(Map<String, String> metadata) {
        return new InvokeOptions(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict, metadata);
    }

    /**
     * Creates options without metadata.
     *
     * @param idempotencyKey 1 to 255 printable characters; null to generate one
     * @param timeout time limit of the call; null for the default
     * @param waitAtMost time after which the service replies with an unfinished record; null for its maximum
     * @param priority {@code high}, {@code normal} or {@code low}; null for normal
     * @param webhook an https URL that is notified when the run ends; null for none
     * @param stream {@code submit} only: sets the mode of the record to stream
     * @param strict {@code invoke} only: a failed run throws a {@link SondeApiException}
     */
    public InvokeOptions(
            String idempotencyKey, Duration timeout, Duration waitAtMost, String priority, String webhook, boolean stream,
            boolean strict) {
        this(idempotencyKey, timeout, waitAtMost, priority, webhook, stream, strict, null);
    }

    /** Omits the webhook and the metadata, which may contain a token or names, so that it is safe to log. */
    @Override
    public String toString() {
        return "InvokeOptions[" + idempotencyKey + ", timeout=" + timeout + ", waitAtMost=" + waitAtMost
                + ", priority=" + priority + ", stream=" + stream + ", strict=" + strict + "]";
    }
}
