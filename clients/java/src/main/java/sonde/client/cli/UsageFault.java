package sonde.client.cli;

/** A wrong flag or setting: nothing was sent. */
final class UsageFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageFault(String message) {
        super(message);
    }
}
