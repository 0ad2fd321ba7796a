package sonde.client;

/**
 * What the user answered.
 *
 * @param callId of {@link RequiredAction.Question}
 * @param answer in words
 */
public record Answer(String callId, String answer) {
    /** Without the answer: safe to log. */
    @Override
    public String toString() {
        return "Answer[" + callId + "]";
    }
}
