package sonde.client;

import java.time.Duration;

/** A point in time that changes of the system clock do not affect. */
record Deadline(long nanos) {
    /** The maximum that fits into nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    static Deadline in(Duration duration) {
        Duration counted = duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
        return new Deadline(System.nanoTime() + counted.toNanos());
    }

    /** The remaining time; never negative. */
    Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    boolean isOver() {
        return remaining().isZero();
    }

    Deadline atMost(Duration duration) {
        Deadline other = in(duration);
        return other.nanos - nanos < 0 ? other : this;
    }
}
