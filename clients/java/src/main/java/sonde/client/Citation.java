package sonde.client;

/**
 * A passage of a report and the source it cites.
 *
 * @param url of the source
 * @param title of the source
 * @param startIndex its first Unicode code point, see {@link String#offsetByCodePoints}
 * @param endIndex the code point after its last one
 */
public record Citation(String url, String title, int startIndex, int endIndex) {}
