package sonde.client;

/** The response is not of the expected form: an HTML page, a redirect, invalid JSON. */
public final class SondeProtocolException extends SondeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String requestId;

    SondeProtocolException(String message, int status, String requestId) {
        super(message);
        this.status = status;
        this.requestId = requestId;
    }

    /** @return the HTTP status of the response */
    public int status() {
        return status;
    }

    /** @return {@code X-Request-Id} of the response; null if it has none */
    public String requestId() {
        return requestId;
    }
}
