package sonde.client;

import java.time.Duration;

/**
 * Options of a chat. Immutable: each method returns a copy.
 *
 * @param idempotencyKey 1 to 255 printable characters; stores the chat and makes retries safe; null for none
 * @param timeout time limit of the call; null for ten minutes
 * @param waitAtMost time after which the service replies with an unfinished stored chat; null for its maximum
 */
public record ChatOptions(String idempotencyKey, Duration timeout, Duration waitAtMost) {
    /** The defaults. */
    public static final ChatOptions DEFAULT = new ChatOptions(null, null, null);

    /**
     * @param idempotencyKey 1 to 255 printable characters
     * @return a copy with it
     */
    public ChatOptions idempotencyKey(String idempotencyKey) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost);
    }

    /**
     * @param timeout time limit of the call
     * @return a copy with it
     */
    public ChatOptions timeout(Duration timeout) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost);
    }

    /**
     * @param waitAtMost time after which the service replies, in whole seconds
     * @return a copy with it
     */
    public ChatOptions waitAtMost(Duration waitAtMost) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost);
    }
}
