package sonde.client;

/** A fault of the caller, found before anything was sent. */
public final class SondeUsageException extends SondeException {
    private static final long serialVersionUID = 1L;

    SondeUsageException(String message) {
        super(message);
    }
}
