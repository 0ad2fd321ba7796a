package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * What a report of the agent rests on.
 *
 * @param brief goal and sub-questions; null if there is none yet
 * @param plan directions with their queries; null if there is none yet
 * @param notes statements with the words of their sources
 * @param omittedNotes notes that are left out because there were too many
 * @param contradictions between notes
 * @param sections of the report, without what a guardrail has changed
 * @param verdicts how many sentences have each verdict, see {@link Citation#verdict}
 * @param verifier the model that judged the sentences; null where none was to
 * @param failed searches and pages that failed
 */
public record Evidence(
        JsonNode brief,
        JsonNode plan,
        List<Note> notes,
        long omittedNotes,
        List<Contradiction> contradictions,
        List<Section> sections,
        Map<String, Integer> verdicts,
        String verifier,
        List<Failed> failed) {
    /** Converts JSON null to null. */
    public Evidence {
        brief = Json.orNull(brief);
        plan = Json.orNull(plan);
    }

    /**
     * A statement and the words that it rests on; the fields are those of {@link ReadSource.Quote}.
     *
     * @param noteId identifies the note
     * @param claim what the quote says, in the words of the model
     * @param quote the exact words of the source
     * @param window the text of the source around the quote
     * @param start first UTF-16 unit in the text of the source
     * @param end the unit after its last one
     * @param source the number of its source
     */
    public record Note(String noteId, String claim, String quote, String window, int start, int end, int source) {}

    /**
     * Notes that contradict each other.
     *
     * @param noteIds the notes
     * @param about what they disagree on
     */
    public record Contradiction(List<String> noteIds, String about) {}

    /**
     * A section of the report.
     *
     * @param title empty for the answer
     * @param sentences in their order
     */
    public record Section(String title, List<Sentence> sentences) {}

    /**
     * A sentence of the report.
     *
     * @param text the sentence
     * @param noteIds the notes that it rests on
     * @param kind {@code fact}, {@code judgement}, {@code absent} (what was not found) or {@code link} (without a claim)
     * @param verdict see {@link Citation#verdict}; null where nothing was to be compared
     * @param checkedBy see {@link Citation#checkedBy}
     * @param detail see {@link Citation#detail}
     */
    public record Sentence(
            String text, List<String> noteIds, String kind, String verdict, String checkedBy, String detail) {}

    /**
     * A search or a page that failed.
     *
     * @param what a query, or the address of a page
     * @param tried in their order
     */
    public record Failed(String what, List<Tried> tried) {}

    /**
     * An attempt that failed.
     *
     * @param provider of a search, or {@code page}
     * @param fault its code
     */
    public record Tried(String provider, String fault) {}

    /** Omits what was read and written, so that it is safe to log. */
    @Override
    public String toString() {
        return "Evidence[" + (notes == null ? 0 : notes.size()) + " notes]";
    }
}
