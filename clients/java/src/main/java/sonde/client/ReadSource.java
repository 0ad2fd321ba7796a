package sonde.client;

import java.util.List;

/**
 * A page or document that research has read.
 *
 * @param number from 1; the {@code source} of a citation
 * @param url {@code document:1} for a document of the request
 * @param title of the source
 * @param fetchedAt when it was read; like the two following, null for a source that the model endpoint has read
 * @param sha256 of the text that was read
 * @param language of the text
 * @param quotes empty for a source that the model endpoint has read
 */
public record ReadSource(
        int number, String url, String title, String fetchedAt, String sha256, String language, List<Quote> quotes) {
    /**
     * Words of a source.
     *
     * @param noteId identifies the note
     * @param claim what the quote says, in the words of the model
     * @param quote the exact words of the source
     * @param window the text of the source around the quote
     * @param start first UTF-16 unit in the text of the source, as in {@link String#substring(int, int)}
     * @param end the unit after its last one
     */
    public record Quote(String noteId, String claim, String quote, String window, int start, int end) {}

    /** Omits the quotes, so that it is safe to log. */
    @Override
    public String toString() {
        return "ReadSource[" + number + ", " + url + "]";
    }
}
