package sonde.client;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * A call of a tool in a chat. It is a reference to the invocation that it began.
 *
 * @param toolName the tool
 * @param callId the model's id of the call
 * @param arguments as the model chose them; null if they were no JSON object, or refused
 * @param invocationId null if nothing was run
 * @param invocationToken opens the record of the invocation; null if the token of the chat does
 * @param status of the invocation
 */
public record ToolCall(
        String toolName, String callId, JsonNode arguments, String invocationId, String invocationToken, String status)
        implements Ref {
    /** Makes null of JSON's null. */
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

    /** Without the token and the arguments: safe to log. */
    @Override
    public String toString() {
        return "ToolCall[" + toolName + ", " + callId + ", " + status + "]";
    }
}
