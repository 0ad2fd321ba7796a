package sonde.client;

/**
 * What can go wrong, in one hierarchy. No message has a key, a token, a prompt or a host in it.
 * A thread that is interrupted while it waits gets a {@link java.util.concurrent.CancellationException} instead, with its
 * interrupt flag set again.
 */
public abstract sealed class SondeException extends RuntimeException
        permits SondeApiException, SondeConnectionException, SondeProtocolException, SondeUsageException {
    private static final long serialVersionUID = 1L;

    SondeException(String message) {
        super(message);
    }
}
