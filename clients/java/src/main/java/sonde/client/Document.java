package sonde.client;

/**
 * A source supplied by the caller.
 *
 * @param title up to 1,000 characters
 * @param text up to 1,000,000 characters
 */
public record Document(String title, String text) implements ResearchDocument {
    /** Omits the text, so that it is safe to log. */
    @Override
    public String toString() {
        return "Document[" + title + "]";
    }
}
