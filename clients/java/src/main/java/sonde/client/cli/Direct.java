package sonde.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import sonde.client.CompletionOptions;
import sonde.client.ModelCompletion;
import sonde.client.ModelResponse;
import sonde.client.ResponseOptions;
import sonde.client.ToolCallingOptions;
import sonde.client.ToolCallingResult;

/** Runs against the model endpoint. Each method returns an exit code. */
final class Direct {
    private static final String CALLED = "[deep_research was called automatically]";

    private static final Set<String> UNDER_WAY = Set.of("queued", "in_progress");

    private final Run run;
    private final Flags flags;
    private final Output output;

    Direct(Run run) {
        this.run = run;
        this.flags = run.flags();
        this.output = run.output();
    }

    int run() {
        if (flags.has("--auto-tool-call")) return toolCalling();
        return flags.isChatApi() ? completion() : response();
    }

    private int completion() {
        CompletionOptions options = new CompletionOptions(flags.systemPrompt(), flags.context, Run.MAX_TIMEOUT);
        ModelCompletion reply = run.model().createChatCompletion(run.prompt(), options);
        output.field("completion_id", reply.id());
        output.write(run.json() ? Run.json(reply.completion()) : reply.content());
        String reason = reply.completion().path("choices").path(0).path("finish_reason").asText();
        if (!reason.equals("length") && !reason.equals("content_filter")) return 0;
        output.log("sonde: the response ended early: " + reason);
        return 1;
    }

    private int response() {
        ResponseOptions options = new ResponseOptions(
                flags.has("--background"), flags.has("--web-search"), flags.systemPrompt(), flags.context, Run.MAX_TIMEOUT);
        ModelResponse reply = run.model().createResponse(run.prompt(), options);
        String id = reply.id();
        output.field("response_id", id);
        // Endpoints without background mode reply with the finished response and store nothing.
        if (UNDER_WAY.contains(String.valueOf(reply.status()))) {
            run.interrupt().track(new ActiveRun(id, () -> run.model().cancelResponse(id), null));
            reply = run.model().waitForResponse(id, Run.MAX_TIMEOUT);
        }
        output.write(run.json() ? Run.json(reply.response()) : reply.outputText());
        String failure = failure(reply);
        if (failure == null) return 0;
        output.log("sonde: the response " + failure);
        return 1;
    }

    private static String failure(ModelResponse reply) {
        JsonNode error = reply.response().path("error");
        String reason = reply.response().path("incomplete_details").path("reason").asText("incomplete");
        return switch (String.valueOf(reply.status())) {
            case "cancelled" -> "was cancelled";
            case "incomplete" -> "ended early: " + reason;
            case "failed" -> "failed: " + error.path("message").asText(error.path("code").asText("failed"));
            default -> null;
        };
    }

    private int toolCalling() {
        // Uses the time limit of the run, so that the report obtained so far is the result.
        ToolCallingOptions options = ToolCallingOptions.with(run.sonde())
                .systemPrompt(flags.systemPrompt())
                .context(flags.context)
                .deliverableFormat(flags.deliverableFormat())
                .timeout(flags.timeout())
                .onInvocation(record -> {
                    run.interrupt().track(Research.activeRun(run, record));
                    output.log(CALLED);
                    output.field("invocation_id", record.invocationId());
                    output.field("invocation_token", record.invocationToken());
                });
        ToolCallingResult result = run.model().createResponseWithToolCalling(run.prompt(), options);
        if (result.toolCalled() && result.invocationId() == null) output.log(CALLED);
        output.field("response_id", result.responseId());
        output.field("previous_response_id", result.previousResponseId());
        output.field("tool_call_id", result.toolCallId());
        output.field("upstream_response_id", result.upstreamResponseId());
        output.write(run.json() ? Run.json(result) : result.finalText());
        if (result.error() != null) output.log("sonde: the research failed: " + result.error().message());
        else if (result.finalText().isBlank()) output.log("sonde: the response contains no text");
        else return 0;
        return 1;
    }
}
