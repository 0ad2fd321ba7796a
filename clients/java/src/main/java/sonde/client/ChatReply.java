package sonde.client;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.OptBoolean;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/**
 * The reply to a chat message, and the record of a chat on record. What does not apply, or not yet, is null.
 * A tool or a model that fails is no exception: {@code content} says what happened.
 *
 * @param status {@code queued}, {@code running}, {@code requires_action} (it waits for a human), {@code completed},
 *     {@code failed} or {@code cancelled}
 * @param content the answer; null while there is none
 * @param toolCalled whether a tool was run
 * @param toolName the first that was run
 * @param researchSummary the report of the research
 * @param toolCalls every call of a tool
 * @param responseId of the last turn of the model
 * @param usage of all turns of the model; a research has its own, in its record
 * @param agent who answered
 * @param message the answer in the message format, with what the model thought; null from an older service
 * @param contents images that the answer came with, in parts of the message format
 * @param citations of {@code content}, or of the research behind it
 * @param sources what was consulted then
 * @param guardrail set if one refused the request or the answer
 * @param error why it failed
 * @param requiredAction what it waits for
 * @param chatId {@code chat_…}; null: on no record
 * @param invocationToken opens the chat; later records keep what they were asked with
 * @param createdAt when it began, RFC 3339, UTC; this and the following for chats on record
 * @param startedAt when a worker took it
 * @param completedAt when it ended
 * @param expiresAt when it will be forgotten
 * @param raw the whole reply as the service sent it, with fields that this client does not know
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
        String agent,
        JsonNode message,
        JsonNode contents,
        List<Citation> citations,
        List<Source> sources,
        Guardrail guardrail,
        ChatError error,
        RequiredAction requiredAction,
        String chatId,
        String invocationToken,
        String createdAt,
        String startedAt,
        String completedAt,
        String expiresAt,
        @JsonIgnore @JacksonInject(value = Json.RAW, useInput = OptBoolean.FALSE) JsonNode raw)
        implements Ref {
    private static final Set<String> UNSETTLED = Set.of("queued", "running");

    /** Makes null of JSON's null, and an empty list of no calls. */
    public ChatReply {
        message = Json.orNull(message);
        contents = Json.orNull(contents);
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

    /** @return whether it has ended, or waits for a human */
    @JsonIgnore
    public boolean isSettled() {
        return status == null || !UNSETTLED.contains(status);
    }

    /** Without the token and what was said: safe to log. */
    @Override
    public String toString() {
        return "ChatReply[" + (chatId == null ? "on no record" : chatId) + ", " + status + "]";
    }
}
