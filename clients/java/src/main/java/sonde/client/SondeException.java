package sonde.client;

/**
 * Base class of all errors of this library. No message contains a key, a token, a prompt or a host name. A thread
 * that is interrupted while waiting receives a {@link java.util.concurrent.CancellationException} instead, with its
 * interrupt flag set again.
 */
public abstract sealed class SondeException extends RuntimeException
        permits IncompleteMessageException, SondeApiException, SondeConnectionException, SondeProtocolException, SondeUsageException {
    private static final long serialVersionUID = 1L;

    /** @serial URL of the failed request */
    private String url;

    SondeException(String message) {
        super(message);
    }

    /**
     * @return URL of the failed request, without its query; null if no request failed. It is not part of the message.
     */
    public String url() {
        return url;
    }

    void at(String url) {
        if (this.url == null) this.url = url;
    }
}
