package sonde.client;

/** An answer that is not what it should be: a page of HTML, a redirect, broken JSON. */
public final class SondeProtocolException extends SondeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String requestId;

    SondeProtocolException(String message, int status, String requestId) {
        super(message);
        this.status = status;
        this.requestId = requestId;
    }

    /** @return the HTTP status of the answer */
    public int status() {
        return status;
    }

    /** @return {@code X-Request-Id} of the answer; null if it has none */
    public String requestId() {
        return requestId;
    }
}
