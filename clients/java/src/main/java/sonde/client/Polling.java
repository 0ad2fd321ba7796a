package sonde.client;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Asks again and again for what goes on anyway, also over broken connections. */
final class Polling {
    static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);
    /** How long the service holds a reply at the most. */
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** What a reply may take on its way beyond that. */
    private static final Duration ON_ITS_WAY = Duration.ofSeconds(15);
    /** Without any reply for so long, nobody is there. */
    private static final Duration GIVE_UP_AFTER = Duration.ofMinutes(5);

    interface Pause {
        Duration before(int polls, Duration took);
    }

    private Polling() {}

    /**
     * @param poll is told for how many seconds the reply may be held, and when it must be there
     * @param pause before the nth next poll, told how long the last one took: not every endpoint holds its reply
     * @throws SondeTimeoutException when the time is over
     */
    static <T> T until(
            Predicate<T> done, BiFunction<Long, Duration, T> poll, Pause pause, Duration timeout) {
        Deadline deadline = Deadline.in(timeout);
        Deadline patience = Deadline.in(GIVE_UP_AFTER);
        int failures = 0;
        for (int polls = 0; !deadline.isOver(); polls++) {
            long began = System.nanoTime();
            long hold = Math.max(1, Math.min(LONGEST.toSeconds(), (deadline.left().toMillis() + 999) / 1000));
            Deadline reply = deadline.atMost(Duration.ofSeconds(hold).plus(ON_ITS_WAY));
            Duration delay;
            try {
                T answer = poll.apply(hold, reply.left());
                if (done.test(answer)) return answer;
                failures = 0;
                patience = Deadline.in(GIVE_UP_AFTER);
                delay = pause.before(polls, Duration.ofNanos(System.nanoTime() - began));
            } catch (SondeException e) {
                if (!Backoff.isPassing(e)) throw e;
                if (deadline.isOver()) break;
                if (patience.isOver()) throw gone(e);
                delay = Backoff.again(failures++, e);
            }
            Duration left = deadline.left();
            Backoff.sleep(delay.compareTo(left) < 0 ? delay : left);
        }
        throw new SondeTimeoutException("not finished within " + Seconds.of(timeout) + " s; the run continues");
    }

    /** The time of one request is not the time of the call, which is not over. */
    private static SondeException gone(SondeException e) {
        if (!(e instanceof SondeTimeoutException)) return e;
        return new SondeConnectionException(
                "no reply for " + Seconds.of(GIVE_UP_AFTER) + " s; the run may still be in progress");
    }
}
