package sonde.client;

/** The arguments of a call are invalid; no request was sent. */
public final class SondeUsageException extends SondeException {
    private static final long serialVersionUID = 1L;

    SondeUsageException(String message) {
        super(message);
    }
}
