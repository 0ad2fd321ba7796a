package sonde.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;

/** When something is tried again. */
final class Backoff {
    private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);
    private static final long FIRST_MS = 500;
    private static final long LONGEST_MS = 8_000;

    private Backoff() {}

    /** Which failures of a request let it be sent again. */
    enum Policy {
        /** It buys nothing, or nothing twice. */
        SAFE {
            @Override
            boolean allows(SondeException e) {
                return isPassing(e) && !(e instanceof SondeTimeoutException);
            }
        },
        /** Only if the service said that it has begun nothing. */
        REFUSED {
            @Override
            boolean allows(SondeException e) {
                return e instanceof SondeApiException error
                        && (error.status() == 429 || error.status() == 503)
                        && error.problem
                        && error.retryAfter() != null;
            }
        },
        /** Only if the endpoint had no room for it: a reply that was lost may have been bought. */
        LIMITED {
            @Override
            boolean allows(SondeException e) {
                return e instanceof SondeApiException error && error.status() == 429;
            }
        },
        /** Whoever sends it has a rule of their own. */
        NEVER {
            @Override
            boolean allows(SondeException e) {
                return false;
            }
        };

        abstract boolean allows(SondeException e);
    }

    /** Whether it may be over soon. */
    static boolean isPassing(SondeException e) {
        if (e instanceof SondeApiException error) return PASSING.contains(error.status());
        return e instanceof SondeConnectionException;
    }

    /** What the endpoint asks for, else 0.5 s, 1 s, 2 s … 8 s, each less a random part, so that clients spread. */
    static Duration delay(int tries, SondeException e) {
        Duration asked = asked(e);
        if (asked != null) return asked;
        long most = Math.min(LONGEST_MS, FIRST_MS << Math.min(tries, 10));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 2, most + 1));
    }

    /**
     * For who asks again and again: at once after the first failure, then later and later. Never sooner than the endpoint
     * asks for, nor much sooner than without that: it may always ask for no time at all.
     */
    static Duration again(int failures, SondeException e) {
        Duration asked = asked(e);
        Duration own = failures == 0 ? Duration.ZERO : delay(failures - 1, null);
        return asked == null || asked.compareTo(own) < 0 ? own : asked;
    }

    private static Duration asked(SondeException e) {
        return e instanceof SondeApiException error ? error.retryAfter() : null;
    }

    static void sleep(Duration delay) {
        try {
            Thread.sleep(delay.toMillis());
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    static CancellationException interrupted() {
        Thread.currentThread().interrupt();
        return new CancellationException("interrupted");
    }
}
