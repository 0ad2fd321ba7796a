package sonde.client;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.OptBoolean;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The record of a tool run. Values that are absent or not available yet are null. Times are RFC 3339, UTC.
 *
 * @param invocationId {@code inv_…}
 * @param toolName e.g. {@code deep_research}
 * @param mode {@code foreground}, {@code background} or {@code stream}
 * @param status {@code queued}, {@code running}, {@code requires_action}, {@code completed}, {@code incomplete}
 *     (ended early, with partial output), {@code failed} or {@code cancelled}
 * @param priority {@code high}, {@code normal} or {@code low}
 * @param deliverableFormat {@code markdown_brief}, {@code markdown_report} or {@code json_outline}
 * @param queuePosition position among the runs that wait to start, from 1
 * @param invocationToken grants access to the record; returned once, later records carry the token of the call
 * @param question the question of the run; null from an older service
 * @param title at most nine words: of the heading of the report, or else of the question
 * @param metadata as it was given
 * @param waitingFor what an unfinished run waits for: {@code time}, {@code place}, {@code budget}, {@code worker},
 *     {@code endpoint} or {@code approval}; null while it goes on
 * @param upstreamResponseId response id of the model endpoint
 * @param outputText the report, when completed or incomplete
 * @param citations passages of the report and the sources they cite
 * @param sources every source consulted, cited or not
 * @param usage tokens and calls of hosted tools
 * @param progress the progress of the research
 * @param engine what carries research: {@code hosted}, {@code agent} or {@code plain}; null from an older service
 * @param searched whether any search is on record; null where that is not known
 * @param asks whether the output is a question to the caller instead of a report; null where that is not known
 * @param model the model that has written the report
 * @param plan the plan of research by the agent
 * @param limits of a run of the agent that has a plan
 * @param requiredAction what a run in {@code requires_action} waits for
 * @param continuedFrom the run that this one continues, see {@link SondeClient#continueRun}
 * @param parent the research that it follows up
 * @param followUps what follows it up, oldest first; null from an older service
 * @param inherited what the runs have used that it continues; {@code usage} and {@code cost} are of this run alone
 * @param steps of research by the agent
 * @param limitsReached the limits at which research by the agent stopped, e.g. {@code max_pages}
 * @param cost where the gateway or the configured prices say it
 * @param response the unmodified response object of the model endpoint, once finished
 * @param contents output of other tools, as parts of the message format
 * @param errorMessage safe to show
 * @param error why it failed or ended early
 * @param cancelReason of an operator who has ended it
 * @param webhook delivery of the webhook
 * @param createdAt when it was submitted
 * @param dueAt when it is scheduled to start, if not immediately
 * @param startedAt when it started
 * @param completedAt when it ended
 * @param expiresAt when the record will be deleted; null while it is kept
 * @param kept whether it does not expire until it is released
 * @param raw the unmodified record, including fields unknown to this client
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
        String title,
        Map<String, String> metadata,
        String waitingFor,
        String upstreamResponseId,
        String outputText,
        List<Citation> citations,
        List<Source> sources,
        Usage usage,
        Progress progress,
        String engine,
        Boolean searched,
        Boolean asks,
        String model,
        Plan plan,
        RunLimits limits,
        RequiredPlan requiredAction,
        String continuedFrom,
        String parent,
        List<String> followUps,
        Inherited inherited,
        Steps steps,
        List<String> limitsReached,
        Cost cost,
        JsonNode response,
        JsonNode contents,
        String errorMessage,
        InvocationError error,
        String cancelReason,
        WebhookDelivery webhook,
        String createdAt,
        String dueAt,
        String startedAt,
        String completedAt,
        String expiresAt,
        boolean kept,
        @JsonIgnore @JacksonInject(value = Json.RAW, useInput = OptBoolean.FALSE) JsonNode raw)
        implements Ref {
    private static final Set<String> FINAL = Set.of("completed", "incomplete", "failed", "cancelled");

    /** Converts JSON null to null. */
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

    /** @return whether the status is final, so that the record no longer changes */
    @JsonIgnore
    public boolean isFinal() {
        return status != null && FINAL.contains(status);
    }

    /** @return whether the record is final or waits for a decision on its plan */
    @JsonIgnore
    public boolean isSettled() {
        return isFinal() || "requires_action".equals(status);
    }

    /** Omits the token, the question and the report, so that it is safe to log. */
    @Override
    public String toString() {
        return "Invocation[" + invocationId + ", " + toolName + ", " + status + "]";
    }
}
