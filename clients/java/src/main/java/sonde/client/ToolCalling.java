package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Client-side tool calling: the model decides, Sonde runs the research, the model answers. */
final class ToolCalling {
    private static final Duration TIMEOUT = Duration.ofHours(1);
    private static final String FAILED = "deep_research failed. Please retry later.";
    private static final String INVALID_ARGUMENTS = "{\"code\":\"INVALID_ARGUMENTS\"}";
    private static final Set<String> USABLE = Set.of("completed", "incomplete");

    private final ModelClient model;
    private final ToolCallingOptions options;
    private final Deadline deadline;

    ToolCalling(ModelClient model, ToolCallingOptions options) {
        if (options.sonde() == null) throw new SondeUsageException("sonde is missing: who shall research?");
        this.model = model;
        this.options = options;
        this.deadline = Deadline.in(options.timeout() == null ? TIMEOUT : options.timeout());
    }

    ToolCallingResult run(String input) {
        ObjectNode body = model.body().put("input", input).put("parallel_tool_calls", false);
        body.putArray("tools").add(ResearchTool.description());
        ModelResponse first = turn(body);
        Optional<JsonNode> called = ModelClient.items(first.response(), "output", "function_call")
                .filter(item -> ResearchTool.NAME.equals(Json.text(item, "name")))
                .findFirst();
        return called.isEmpty() ? withoutCall(first) : withCall(first, called.get());
    }

    private static ToolCallingResult withoutCall(ModelResponse first) {
        return new ToolCallingResult(first.outputText(), false, first.id(), null, null, null, null, null, null);
    }

    private ToolCallingResult withCall(ModelResponse first, JsonNode call) {
        String callId = Json.text(call, "call_id");
        Invocation invocation = null;
        String output;
        JsonNode chosen = parsed(Json.text(call, "arguments"));
        if (chosen instanceof ObjectNode arguments) {
            invocation = research(arguments);
            output = summary(invocation);
        } else output = INVALID_ARGUMENTS;
        ModelResponse last = lastTurn(first.id(), callId, output);
        return new ToolCallingResult(
                last == null ? output : last.outputText(),
                true,
                last == null ? null : last.id(),
                first.id(),
                callId,
                invocation == null ? null : invocation.invocationId(),
                invocation == null ? null : invocation.invocationToken(),
                invocation == null ? null : invocation.upstreamResponseId(),
                output);
    }

    /** The final record; null if the submission was rejected. */
    private Invocation research(ObjectNode arguments) {
        // Only the caller sets instructions.
        arguments.remove("system_prompt");
        if (options.systemPrompt() != null) arguments.put("system_prompt", options.systemPrompt());
        if (!arguments.hasNonNull("deliverable_format") && options.deliverableFormat() != null)
            arguments.put("deliverable_format", options.deliverableFormat());
        arguments.properties().removeIf(field -> field.getValue().isNull());
        Invocation submitted;
        try {
            submitted = options.sonde()
                    .submit(ResearchTool.NAME, arguments, InvokeOptions.DEFAULT.timeout(remaining(Duration.ofMinutes(1))));
        } catch (SondeApiException e) {
            return null;
        }
        if (options.onInvocation() != null) options.onInvocation().accept(submitted);
        return options.sonde().wait(submitted, remaining(TIMEOUT));
    }

    private static String summary(Invocation invocation) {
        boolean usable = invocation != null && USABLE.contains(invocation.status());
        return usable && invocation.outputText() != null ? invocation.outputText() : FAILED;
    }

    /** The last turn; null if it failed or is empty, in which case the report is returned. */
    private ModelResponse lastTurn(String previous, String callId, String output) {
        ObjectNode body = model.body().put("previous_response_id", previous);
        body.putArray("input")
                .addObject()
                .put("type", "function_call_output")
                .put("call_id", callId)
                .put("output", output);
        try {
            ModelResponse last = turn(body);
            return last.outputText().isBlank() ? null : last;
        } catch (SondeException e) {
            return null;
        }
    }

    private ModelResponse turn(ObjectNode body) {
        return model.respond(body, remaining(SondeClient.ANSWER_TIMEOUT));
    }

    /** The remaining time, at least one millisecond and at most {@code most}. */
    private Duration remaining(Duration most) {
        Duration remaining = deadline.atMost(most).remaining();
        return remaining.isZero() ? Duration.ofMillis(1) : remaining;
    }

    private static JsonNode parsed(String text) {
        try {
            return text == null ? null : Json.parse(text);
        } catch (IOException e) {
            return null;
        }
    }
}
