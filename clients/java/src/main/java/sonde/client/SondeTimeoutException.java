package sonde.client;

/** The time limit of a call has elapsed. Work already started at the endpoint may continue. */
public final class SondeTimeoutException extends SondeConnectionException {
    private static final long serialVersionUID = 1L;

    SondeTimeoutException(String message) {
        super(message);
    }
}
