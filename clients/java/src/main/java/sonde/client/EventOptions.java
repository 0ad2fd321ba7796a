package sonde.client;

import java.time.Duration;

/**
 * Options for following events. Immutable: each method returns a copy.
 *
 * @param lastEventId only events after it; null for all
 * @param idleTimeout silence after which the client reconnects; null for 45 seconds
 * @param giveUpAfter time without an event or a heartbeat after which the stream fails; null for five minutes
 */
public record EventOptions(String lastEventId, Duration idleTimeout, Duration giveUpAfter) {
    /** The defaults. */
    public static final EventOptions DEFAULT = new EventOptions(null, null, null);

    /** Sets defaults for missing values. */
    public EventOptions {
        idleTimeout = idleTimeout == null ? Duration.ofSeconds(45) : idleTimeout;
        giveUpAfter = giveUpAfter == null ? Duration.ofMinutes(5) : giveUpAfter;
    }

    /**
     * @param lastEventId only events after it
     * @return a copy with it
     */
    public EventOptions lastEventId(String lastEventId) {
        return new EventOptions(lastEventId, idleTimeout, giveUpAfter);
    }

    /**
     * @param idleTimeout silence after which the client reconnects; the service sends a heartbeat at least every 15
     *     seconds
     * @return a copy with it
     */
    public EventOptions idleTimeout(Duration idleTimeout) {
        return new EventOptions(lastEventId, idleTimeout, giveUpAfter);
    }

    /**
     * @param giveUpAfter time without an event or a heartbeat after which the stream fails
     * @return a copy with it
     */
    public EventOptions giveUpAfter(Duration giveUpAfter) {
        return new EventOptions(lastEventId, idleTimeout, giveUpAfter);
    }
}
