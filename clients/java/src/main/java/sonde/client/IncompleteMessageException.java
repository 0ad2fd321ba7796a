package sonde.client;

/** Deltas that do not form a complete message. Names the invalid field and never includes message content. */
public final class IncompleteMessageException extends SondeException {
    private static final long serialVersionUID = 1L;

    IncompleteMessageException(String reason) {
        super("The message is incomplete: " + reason + ".");
    }
}
