package sonde.client;

/** The endpoint could not be reached, or the connection broke before its answer was whole. */
public sealed class SondeConnectionException extends SondeException permits SondeTimeoutException {
    private static final long serialVersionUID = 1L;

    SondeConnectionException(String message) {
        super(message);
    }
}
