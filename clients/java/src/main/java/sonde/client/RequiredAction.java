package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * The pending approvals and questions of a chat.
 *
 * @param approvals tool calls to approve or reject, see {@link ChatsClient#approve}
 * @param questions questions to the user, see {@link ChatsClient#answer}
 */
public record RequiredAction(List<Approval> approvals, List<Question> questions) {
    /**
     * A tool call that requires approval.
     *
     * @param callId identifies the call
     * @param toolName the tool
     * @param arguments as chosen by the model
     */
    public record Approval(String callId, String toolName, JsonNode arguments) {
        /** Omits the arguments, so that it is safe to log. */
        @Override
        public String toString() {
            return "Approval[" + callId + ", " + toolName + "]";
        }
    }

    /**
     * A question to the user.
     *
     * @param callId identifies the question
     * @param question the text of the question
     */
    public record Question(String callId, String question) {
        /** Omits the question, so that it is safe to log. */
        @Override
        public String toString() {
            return "Question[" + callId + "]";
        }
    }
}
