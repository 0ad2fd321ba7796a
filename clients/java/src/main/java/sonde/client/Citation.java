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
 * @param verdict what was found when the sentence was compared with its quotes, which is no proof of it:
 *     {@code quote_matched}, {@code supported}, {@code derived}, {@code judgement}, {@code partly_supported},
 *     {@code contradicted}, {@code unsupported}, {@code number_differs}, {@code text_differs} or {@code unchecked}
 * @param checkedBy what decided: {@code text} or {@code model}
 * @param detail the word or phrase of the sentence that differs, or what it lacks
 * @param sentenceStart first code point of the sentence or table cell that cites, where the indices above are those of
 *     its mark; null otherwise
 * @param sentenceEnd the code point after its last one
 */
public record Citation(
        String url,
        String title,
        int startIndex,
        int endIndex,
        String quote,
        Integer source,
        String verdict,
        String checkedBy,
        String detail,
        Integer sentenceStart,
        Integer sentenceEnd) {}
