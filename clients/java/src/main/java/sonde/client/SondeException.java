package sonde.client;

/**
 * What can go wrong, in one hierarchy. No message has a key, a token, a prompt or a host in it.
 * A thread that is interrupted while it waits gets a {@link java.util.concurrent.CancellationException} instead, with its
 * interrupt flag set again.
 */
public abstract sealed class SondeException extends RuntimeException
        permits IncompleteMessageException, SondeApiException, SondeConnectionException, SondeProtocolException, SondeUsageException {
    private static final long serialVersionUID = 1L;

    /** @serial what was asked for */
    private String url;

    SondeException(String message) {
        super(message);
    }

    /** @return what was asked for, without its query; null where no request failed. It is no part of the message. */
    public String url() {
        return url;
    }

    void at(String url) {
        if (this.url == null) this.url = url;
    }
}
