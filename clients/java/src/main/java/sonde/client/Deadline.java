package sonde.client;

import java.time.Duration;

/** A moment that the wall clock cannot move. */
record Deadline(long nanos) {
    /** No longer can be counted in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    static Deadline in(Duration duration) {
        Duration counted = duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
        return new Deadline(System.nanoTime() + counted.toNanos());
    }

    /** What is left; never less than nothing. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    boolean isOver() {
        return left().isZero();
    }

    Deadline atMost(Duration duration) {
        Deadline other = in(duration);
        return other.nanos - nanos < 0 ? other : this;
    }
}
