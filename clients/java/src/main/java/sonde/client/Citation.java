package sonde.client;

/**
 * A passage of a report and the source it cites.
 *
 * @param url of the source
 * @param title of the source
 * @param startIndex its first Unicode code point, see {@link String#offsetByCodePoints}
 * @param endIndex the code point after its last one
 * @param quote the words of the source; like the following, null unless the agent has written the report
 * @param source the number of the source, see {@link SondeClient#source}
 * @param verdict how the sentence compares with the quote: {@code quote_matched} (no proof of the sentence),
 *     {@code number_differs}, {@code polarity_differs}, {@code unanchored} or {@code derived}
 */
public record Citation(
        String url, String title, int startIndex, int endIndex, String quote, Integer source, String verdict) {}
