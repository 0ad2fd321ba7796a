package sonde.client;

import java.time.Duration;

/** A moment that the wall clock cannot move. */
record Deadline(long nanos) {
    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + Math.min(duration.toMillis(), 1L << 40) * 1_000_000);
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
