package sonde.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;

/** Retry policies and delays. */
final class Backoff {
    private static final Set<Integer> RETRYABLE_STATUSES = Set.of(408, 429, 500, 502, 503, 504);
    private static final long FIRST_MS = 500;
    private static final long LONGEST_MS = 8_000;

    private Backoff() {}

    /** Which failures of a request it is retried after. */
    enum Policy {
        /** Idempotent requests: all transient failures. */
        SAFE {
            @Override
            boolean allows(SondeException e) {
                return isTransient(e) && !(e instanceof SondeTimeoutException);
            }
        },
        /** The same; after a lost reply, 404 means that an earlier attempt has deleted it. */
        DELETION {
            @Override
            boolean allows(SondeException e) {
                return SAFE.allows(e);
            }
        },
        /** Only if the service guarantees that no work was started. */
        REFUSED {
            @Override
            boolean allows(SondeException e) {
                return e instanceof SondeApiException error
                        && (error.status() == 429 || error.status() == 503)
                        && error.problem
                        && error.retryAfter() != null;
            }
        },
        /** Only after a rate limit, because a lost reply may have been billed. */
        LIMITED {
            @Override
            boolean allows(SondeException e) {
                return e instanceof SondeApiException error && error.status() == 429;
            }
        },
        /** The caller has its own retry rule. */
        NEVER {
            @Override
            boolean allows(SondeException e) {
                return false;
            }
        };

        abstract boolean allows(SondeException e);
    }

    /** Whether the same request may succeed later. */
    static boolean isTransient(SondeException e) {
        if (e instanceof SondeApiException error) return RETRYABLE_STATUSES.contains(error.status());
        return e instanceof SondeConnectionException;
    }

    /** The delay of Retry-After, or else 0.5 s, doubled up to 8 s, with up to 50% jitter. */
    static Duration delay(int tries, SondeException e) {
        Duration retryAfter = retryAfter(e);
        if (retryAfter != null) return retryAfter;
        long most = Math.min(LONGEST_MS, FIRST_MS << Math.min(tries, 10));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 2, most + 1));
    }

    /**
     * Delay for polling and reconnecting: zero after the first failure, then the backoff. Never shorter than
     * Retry-After, and never shorter than the backoff, because Retry-After may always be zero.
     */
    static Duration reconnectDelay(int failures, SondeException e) {
        Duration retryAfter = retryAfter(e);
        Duration backoff = failures == 0 ? Duration.ZERO : delay(failures - 1, null);
        return retryAfter == null || retryAfter.compareTo(backoff) < 0 ? backoff : retryAfter;
    }

    private static Duration retryAfter(SondeException e) {
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
