package sonde.client.cli;

/** An invalid flag or setting; no request was sent. */
final class UsageError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageError(String message) {
        super(message);
    }
}
