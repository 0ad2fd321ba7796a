package sonde.client;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.OptBoolean;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/**
 * The record of a run of a tool. What does not apply, or not yet, is null. Times are RFC 3339, UTC.
 *
 * @param invocationId {@code inv_…}
 * @param toolName e.g. {@code deep_research}
 * @param mode {@code foreground}, {@code background} or {@code stream}
 * @param status {@code queued}, {@code running}, {@code requires_action}, {@code completed}, {@code incomplete} (ended
 *     early, with something usable), {@code failed} or {@code cancelled}
 * @param priority {@code high}, {@code normal} or {@code low}
 * @param deliverableFormat {@code markdown_brief}, {@code markdown_report} or {@code json_outline}
 * @param queuePosition among those that wait to begin, from 1
 * @param invocationToken opens the record; the service says it once, later records keep what they were asked with
 * @param question what was asked; null from an older service
 * @param upstreamResponseId of the model endpoint
 * @param outputText the report, when completed or incomplete
 * @param citations places in the report, and what they cite
 * @param sources everything that was consulted, cited or not
 * @param usage tokens and calls of hosted tools
 * @param progress how far a research is
 * @param response the raw response object of the model endpoint, once finished
 * @param contents what another tool gave, in parts of the message format
 * @param errorMessage safe to show
 * @param error why it failed, or ended early
 * @param webhook where the end is announced
 * @param createdAt when it was submitted
 * @param dueAt when it is to begin, if not at once
 * @param startedAt when it began
 * @param completedAt when it ended
 * @param expiresAt when the record will be forgotten
 * @param raw the whole record as the service sent it, with fields that this client does not know
 */
public record Invocation(
        String invocationId,
        String toolName,
        String mode,
        String status,
        String priority,
        String deliverableFormat,
        Long queuePosition,
        String invocationToken,
        String question,
        String upstreamResponseId,
        String outputText,
        List<Citation> citations,
        List<Source> sources,
        Usage usage,
        Progress progress,
        JsonNode response,
        JsonNode contents,
        String errorMessage,
        InvocationError error,
        WebhookDelivery webhook,
        String createdAt,
        String dueAt,
        String startedAt,
        String completedAt,
        String expiresAt,
        @JsonIgnore @JacksonInject(value = Json.RAW, useInput = OptBoolean.FALSE) JsonNode raw)
        implements Ref {
    private static final Set<String> FINAL = Set.of("completed", "incomplete", "failed", "cancelled");

    /** Makes null of JSON's null. */
    public Invocation {
        response = Json.orNull(response);
        contents = Json.orNull(contents);
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

    /** @return whether it has ended; nothing leaves a final status */
    @JsonIgnore
    public boolean isFinal() {
        return status != null && FINAL.contains(status);
    }

    /** Without the token, the question and the report: safe to log. */
    @Override
    public String toString() {
        return "Invocation[" + invocationId + ", " + toolName + ", " + status + "]";
    }
}
