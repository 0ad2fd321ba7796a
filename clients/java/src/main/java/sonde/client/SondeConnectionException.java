package sonde.client;

/** The endpoint is unreachable, or the connection broke before the reply was complete. */
public sealed class SondeConnectionException extends SondeException permits SondeTimeoutException {
    private static final long serialVersionUID = 1L;

    SondeConnectionException(String message) {
        super(message);
    }
}
