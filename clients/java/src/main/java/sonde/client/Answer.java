package sonde.client;

/**
 * The user's answer to a question.
 *
 * @param callId of {@link RequiredAction.Question}
 * @param answer the text of the answer
 */
public record Answer(String callId, String answer) {
    /** Omits the answer, so that it is safe to log. */
    @Override
    public String toString() {
        return "Answer[" + callId + "]";
    }
}
