package sonde.client;

import java.time.Duration;

/**
 * How events are followed. Never changed: each method gives a new one.
 *
 * @param lastEventId only events after it; null: all
 * @param idleTimeout silence after which the connection is given up and made anew; null: 45 seconds
 * @param giveUpAfter time without an event or a heartbeat after which it is an error; null: five minutes
 */
public record EventOptions(String lastEventId, Duration idleTimeout, Duration giveUpAfter) {
    /** Nothing but defaults. */
    public static final EventOptions DEFAULT = new EventOptions(null, null, null);

    /** Fills in what is not given. */
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
     * @param idleTimeout silence after which the connection is given up and made anew; the service is never silent for
     *     more than 15 seconds
     * @return a copy with it
     */
    public EventOptions idleTimeout(Duration idleTimeout) {
        return new EventOptions(lastEventId, idleTimeout, giveUpAfter);
    }

    /**
     * @param giveUpAfter time without an event or a heartbeat after which it is an error
     * @return a copy with it
     */
    public EventOptions giveUpAfter(Duration giveUpAfter) {
        return new EventOptions(lastEventId, idleTimeout, giveUpAfter);
    }
}
