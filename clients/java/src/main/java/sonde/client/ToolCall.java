package sonde.client;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * A tool call of a chat. It is a reference to the invocation that it started.
 *
 * @param toolName the tool
 * @param callId the model's id of the call
 * @param arguments as chosen by the model; null if they were not a JSON object or were rejected
 * @param invocationId null if no tool was run
 * @param invocationToken grants access to the invocation; null if the token of the chat does
 * @param status of the invocation
 * @param error why the tool failed or ended early; null from an older service
 */
public record ToolCall(
        String toolName,
        String callId,
        JsonNode arguments,
        String invocationId,
        String invocationToken,
        String status,
        ChatError error)
        implements Ref {
    /** Converts JSON null to null. */
    public ToolCall {
        arguments = Json.orNull(arguments);
    }

    @JsonIgnore
    @Override
    public String id() {
        return invocationId;
    }

    @JsonIgnore
    @Override
    public String token() {
        return invocationToken;
    }

    /** Omits the token and the arguments, so that it is safe to log. */
    @Override
    public String toString() {
        return "ToolCall[" + toolName + ", " + callId + ", " + status + "]";
    }
}
