package sonde.client;

import java.time.Duration;

/**
 * Options of a chat. Immutable: each method returns a copy.
 *
 * @param idempotencyKey 1 to 255 printable characters; stores the chat and makes retries safe; null for none
 * @param timeout time limit of the call; null for ten minutes
 * @param waitAtMost time after which the service replies with an unfinished stored chat; null for its maximum
 * @param maxRounds how often the functions that the model calls are run, before it must answer; null for 10
 * @param functionTimeout time limit of each call of a function; null for one minute
 */
public record ChatOptions(
        String idempotencyKey, Duration timeout, Duration waitAtMost, Integer maxRounds, Duration functionTimeout) {
    /** The defaults. */
    public static final ChatOptions DEFAULT = new ChatOptions(null, null, null, null, null);

    /**
     * @param idempotencyKey 1 to 255 printable characters
     * @return a copy with it
     */
    public ChatOptions idempotencyKey(String idempotencyKey) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost, maxRounds, functionTimeout);
    }

    /**
     * @param timeout time limit of the call
     * @return a copy with it
     */
    public ChatOptions timeout(Duration timeout) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost, maxRounds, functionTimeout);
    }

    /**
     * @param waitAtMost time after which the service replies, in whole seconds
     * @return a copy with it
     */
    public ChatOptions waitAtMost(Duration waitAtMost) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost, maxRounds, functionTimeout);
    }

    /**
     * @param maxRounds how often the functions that the model calls are run
     * @return a copy with it
     */
    public ChatOptions maxRounds(int maxRounds) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost, maxRounds, functionTimeout);
    }

    /**
     * @param functionTimeout time limit of each call of a function
     * @return a copy with it
     */
    public ChatOptions functionTimeout(Duration functionTimeout) {
        return new ChatOptions(idempotencyKey, timeout, waitAtMost, maxRounds, functionTimeout);
    }

    int roundsAtMost() {
        return maxRounds == null ? 10 : maxRounds;
    }

    Duration functionLimit() {
        return functionTimeout == null ? Duration.ofMinutes(1) : functionTimeout;
    }

    Duration limit() {
        return timeout == null ? SondeClient.ANSWER_TIMEOUT : timeout;
    }
}
