package sonde.client;

import java.math.BigDecimal;
import java.time.Duration;

/** Formats durations for messages. */
final class Seconds {
    private Seconds() {}

    /** E.g. {@code 3600} or {@code 0.3}. */
    static String of(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
