package sonde.client;

import java.time.Duration;

/**
 * How a chat is asked for. Never changed: each method gives a new one.
 *
 * @param idempotencyKey 1 to 255 printable characters; puts the chat on record, and makes it safe to ask again; null: none
 * @param timeout how long the answer may take; null: ten minutes
 * @param waitAtMost how long the service waits for the end of a chat on record before it replies; null: as long as it can
 */
public record ChatOptions(String idempotencyKey, Duration timeout, Duration waitAtMost) {
    /** Nothing but defaults. */
    public static final ChatOptions DEFAULT = new ChatOptions(null, null, null);

    /**
     * @param idempotencyKey 1 to 255 printable characters
     * @return a copy with it
     */
    public ChatOptions idempotencyKey(String idempotencyKey) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost);
    }

    /**
     * @param timeout how long the answer may take
     * @return a copy with it
     */
    public ChatOptions timeout(Duration timeout) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost);
    }

    /**
     * @param waitAtMost how long the service waits before it replies, in whole seconds
     * @return a copy with it
     */
    public ChatOptions waitAtMost(Duration waitAtMost) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost);
    }
}
