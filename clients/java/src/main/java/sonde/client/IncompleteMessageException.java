package sonde.client;

/** Deltas that do not add up to a message. Names the field at fault, never what was said in it. */
public final class IncompleteMessageException extends SondeException {
    private static final long serialVersionUID = 1L;

    IncompleteMessageException(String fault) {
        super("The message is incomplete: " + fault + ".");
    }
}
