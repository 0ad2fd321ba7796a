package sonde.client;

/**
 * A source of the caller's own.
 *
 * @param title up to 1,000 characters
 * @param text up to 1,000,000 characters
 */
public record Document(String title, String text) {
    /** Without its text: safe to log. */
    @Override
    public String toString() {
        return "Document[" + title + "]";
    }
}
