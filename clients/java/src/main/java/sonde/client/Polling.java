package sonde.client;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Polls for the result of work in progress, retrying after broken connections. */
final class Polling {
    static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);
    /** Longest time that a request asks the service to delay its reply. */
    private static final Duration MAX_HOLD = Duration.ofSeconds(50);
    /** Time added to each request for the network. */
    private static final Duration NETWORK_ALLOWANCE = Duration.ofSeconds(15);
    /** Time without any reply after which polling fails. */
    private static final Duration GIVE_UP_AFTER = Duration.ofMinutes(5);

    interface Pause {
        Duration before(int polls, Duration took);
    }

    private Polling() {}

    /**
     * @param poll receives the seconds that the service may delay its reply, and the time limit of the request
     * @param pause returns the delay before the next poll, for endpoints that reply immediately
     * @throws SondeTimeoutException when the time limit elapses
     */
    static <T> T until(
            Predicate<T> done, BiFunction<Long, Duration, T> poll, Pause pause, Duration timeout) {
        Deadline deadline = Deadline.in(timeout);
        Deadline giveUpAt = Deadline.in(GIVE_UP_AFTER);
        int failures = 0;
        for (int polls = 0; !deadline.isOver(); polls++) {
            long began = System.nanoTime();
            long hold = Math.max(1, Math.min(MAX_HOLD.toSeconds(), (deadline.remaining().toMillis() + 999) / 1000));
            Deadline reply = deadline.atMost(Duration.ofSeconds(hold).plus(NETWORK_ALLOWANCE));
            Duration delay;
            try {
                T answer = poll.apply(hold, reply.remaining());
                if (done.test(answer)) return answer;
                failures = 0;
                giveUpAt = Deadline.in(GIVE_UP_AFTER);
                delay = pause.before(polls, Duration.ofNanos(System.nanoTime() - began));
            } catch (SondeException e) {
                if (!Backoff.isTransient(e)) throw e;
                if (deadline.isOver()) break;
                if (giveUpAt.isOver()) throw toConnectionError(e);
                delay = Backoff.reconnectDelay(failures++, e);
            }
            Duration remaining = deadline.remaining();
            Backoff.sleep(delay.compareTo(remaining) < 0 ? delay : remaining);
        }
        throw new SondeTimeoutException("not finished within " + Seconds.of(timeout) + " s; the run continues");
    }

    /** A time-out of a single request must not appear as a time-out of the call. */
    private static SondeException toConnectionError(SondeException e) {
        if (!(e instanceof SondeTimeoutException)) return e;
        return new SondeConnectionException(
                "no reply for " + Seconds.of(GIVE_UP_AFTER) + " s; the run may still be in progress");
    }
}
