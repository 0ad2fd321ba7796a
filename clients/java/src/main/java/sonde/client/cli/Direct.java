package sonde.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import sonde.client.CompletionOptions;
import sonde.client.ModelCompletion;
import sonde.client.ModelResponse;
import sonde.client.ResponseOptions;
import sonde.client.ToolCallingOptions;
import sonde.client.ToolCallingResult;

/** Runs against the model endpoint. Each returns its exit code. */
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
        CompletionOptions options = new CompletionOptions(flags.systemPrompt(), flags.context, Run.ANY_TIME);
        ModelCompletion reply = run.model().createChatCompletion(run.prompt(), options);
        output.note("completion_id", reply.id());
        output.write(run.json() ? Run.json(reply.completion()) : reply.content());
        String reason = reply.completion().path("choices").path(0).path("finish_reason").asText();
        if (!reason.equals("length") && !reason.equals("content_filter")) return 0;
        output.say("sonde: the response ended early: " + reason);
        return 1;
    }

    private int response() {
        ResponseOptions options = new ResponseOptions(
                flags.has("--background"), flags.has("--web-search"), flags.systemPrompt(), flags.context, Run.ANY_TIME);
        ModelResponse reply = run.model().createResponse(run.prompt(), options);
        String id = reply.id();
        output.note("response_id", id);
        // An endpoint that knows no background has answered already, and keeps nothing.
        if (UNDER_WAY.contains(String.valueOf(reply.status()))) {
            run.interrupt().knows(new UnderWay(id, () -> run.model().cancelResponse(id), null));
            reply = run.model().waitForResponse(id, Run.ANY_TIME);
        }
        output.write(run.json() ? Run.json(reply.response()) : reply.outputText());
        String fault = fault(reply);
        if (fault == null) return 0;
        output.say("sonde: the response " + fault);
        return 1;
    }

    private static String fault(ModelResponse reply) {
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
        // With the limit of the run: what is there when the time is over is the answer.
        ToolCallingOptions options = ToolCallingOptions.with(run.sonde())
                .systemPrompt(flags.systemPrompt())
                .context(flags.context)
                .deliverableFormat(flags.deliverableFormat())
                .timeout(flags.timeout())
                .onInvocation(record -> {
                    run.interrupt().knows(Research.underWay(run, record));
                    output.say(CALLED);
                    output.note("invocation_id", record.invocationId());
                    output.note("invocation_token", record.invocationToken());
                });
        ToolCallingResult result = run.model().createResponseWithToolCalling(run.prompt(), options);
        if (result.toolCalled() && result.invocationId() == null) output.say(CALLED);
        output.note("response_id", result.responseId());
        output.note("previous_response_id", result.previousResponseId());
        output.note("tool_call_id", result.toolCallId());
        output.note("upstream_response_id", result.upstreamResponseId());
        output.write(run.json() ? Run.json(result) : result.finalText());
        if (result.finalText().equals(Run.RESEARCH_FAILED)) output.say("sonde: the research failed");
        else if (result.finalText().isBlank()) output.say("sonde: the response contains no text");
        else return 0;
        return 1;
    }
}
