package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What a chat waits for.
 *
 * @param approvals calls that a human has to decide, see {@link ChatsClient#approve}
 * @param questions questions that the user has to answer, see {@link ChatsClient#answer}
 */
public record RequiredAction(List<Approval> approvals, List<Question> questions) {
    /**
     * A call that waits for approval.
     *
     * @param callId names it
     * @param toolName the tool
     * @param arguments as the model chose them
     */
    public record Approval(String callId, String toolName, JsonNode arguments) {
        /** Without the arguments: safe to log. */
        @Override
        public String toString() {
            return "Approval[" + callId + ", " + toolName + "]";
        }
    }

    /**
     * A question to the user.
     *
     * @param callId names it
     * @param question in words
     */
    public record Question(String callId, String question) {
        /** Without the question: safe to log. */
        @Override
        public String toString() {
            return "Question[" + callId + "]";
        }
    }
}
