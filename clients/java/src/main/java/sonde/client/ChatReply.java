package sonde.client;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.OptBoolean;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The reply to a chat message, and the record of a stored chat. Values that are absent or not available yet are null.
 * A failed tool or model causes no exception: {@code content} describes what happened.
 *
 * @param status {@code queued}, {@code running}, {@code requires_action} (an approval or an answer is pending),
 *     {@code completed}, {@code failed} or {@code cancelled}
 * @param content the answer; null until there is one
 * @param toolCalled whether at least one tool was run
 * @param toolName the first tool that was run
 * @param researchSummary the report of the research
 * @param toolCalls all tool calls
 * @param responseId of the last turn of the model
 * @param usage of all turns of the model; the usage of research is in its own record
 * @param cost of all turns of the model, where it is known; research has its own in its record
 * @param agent the agent that answered
 * @param message the answer in the message format, including the model's thinking; null from an older service
 * @param contents images returned with the answer, as parts of the message format
 * @param citations of {@code content}, or of the research behind it
 * @param sources the sources consulted
 * @param guardrail set if a guardrail blocked the request or the answer
 * @param error why the chat failed
 * @param requiredAction the pending approvals and questions
 * @param continuation only if {@code message} calls functions that the client does not run: the next request has it in
 *     {@code messages}, after those of this one, and then a {@code tool} message for each of the calls
 * @param chatId {@code chat_…}; null if the chat is not stored
 * @param invocationToken grants access to the chat; later records carry the token that the call was made with
 * @param question the last message of the user, at most its first 1,000 characters; like the following, for stored
 *     chats only
 * @param metadata as it was given
 * @param createdAt time of creation, RFC 3339, UTC
 * @param startedAt when a worker started it
 * @param completedAt when it ended
 * @param expiresAt when the record will be deleted
 * @param raw the unmodified reply, including fields unknown to this client
 */
public record ChatReply(
        String status,
        String content,
        boolean toolCalled,
        String toolName,
        String researchSummary,
        List<ToolCall> toolCalls,
        String responseId,
        Usage usage,
        Cost cost,
        String agent,
        JsonNode message,
        JsonNode contents,
        List<Citation> citations,
        List<Source> sources,
        Guardrail guardrail,
        ChatError error,
        RequiredAction requiredAction,
        JsonNode continuation,
        String chatId,
        String invocationToken,
        String question,
        Map<String, String> metadata,
        String createdAt,
        String startedAt,
        String completedAt,
        String expiresAt,
        @JsonIgnore @JacksonInject(value = Json.RAW, useInput = OptBoolean.FALSE) JsonNode raw)
        implements Ref {
    private static final Set<String> UNSETTLED = Set.of("queued", "running");

    /** Converts JSON null to null, and missing calls to an empty list. */
    public ChatReply {
        message = Json.orNull(message);
        contents = Json.orNull(contents);
        continuation = Json.orNull(continuation);
        toolCalls = toolCalls == null ? List.of() : toolCalls;
    }

    @JsonIgnore
    @Override
    public String id() {
        return chatId;
    }

    @JsonIgnore
    @Override
    public String token() {
        return invocationToken;
    }

    /** @return whether it has ended or requires action */
    @JsonIgnore
    public boolean isSettled() {
        return status == null || !UNSETTLED.contains(status);
    }

    /** Omits the token and the content, so that it is safe to log. */
    @Override
    public String toString() {
        return "ChatReply[" + (chatId == null ? "on no record" : chatId) + ", " + status + "]";
    }
}
