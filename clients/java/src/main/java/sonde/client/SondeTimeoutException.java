package sonde.client;

/** The time of a call is over. What it has begun at the endpoint may go on. */
public final class SondeTimeoutException extends SondeConnectionException {
    private static final long serialVersionUID = 1L;

    SondeTimeoutException(String message) {
        super(message);
    }
}
