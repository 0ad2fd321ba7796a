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
        if (options.sonde() == null) throw new SondeUsageException("sonde: required");
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
        return new ToolCallingResult(first.outputText(), false, first.id(), null, null, null, null, null, null, null);
    }

    private ToolCallingResult withCall(ModelResponse first, JsonNode call) {
        String callId = Json.text(call, "call_id");
        Invocation invocation = null;
        ChatError error = null;
        String output;
        JsonNode chosen = parsed(Json.text(call, "arguments"));
        if (chosen instanceof ObjectNode arguments) {
            try {
                Invocation submitted = submit(arguments);
                if (options.onInvocation() != null) options.onInvocation().accept(submitted);
                invocation = options.sonde().wait(submitted, remaining(TIMEOUT));
                error = isUsable(invocation) ? null : cause(invocation);
            } catch (Refused e) {
                error = e.error;
            }
            output = error == null ? invocation.outputText() : FAILED;
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
                output,
                error);
    }

    /** The new record. */
    private Invocation submit(ObjectNode arguments) throws Refused {
        // Only the caller sets instructions.
        arguments.remove("system_prompt");
        if (options.systemPrompt() != null) arguments.put("system_prompt", options.systemPrompt());
        if (!arguments.hasNonNull("deliverable_format") && options.deliverableFormat() != null)
            arguments.put("deliverable_format", options.deliverableFormat());
        arguments.properties().removeIf(field -> field.getValue().isNull());
        try {
            return options.sonde()
                    .submit(ResearchTool.NAME, arguments, InvokeOptions.DEFAULT.timeout(remaining(Duration.ofMinutes(1))));
        } catch (SondeApiException e) {
            throw new Refused(e);
        }
    }

    private static boolean isUsable(Invocation invocation) {
        return USABLE.contains(invocation.status()) && invocation.outputText() != null;
    }

    private static ChatError cause(Invocation invocation) {
        InvocationError error = invocation.error();
        String message = invocation.errorMessage();
        return new ChatError(
                error == null ? invocation.status() : error.code(),
                message == null ? "The research has the status " + invocation.status() + "." : message,
                error != null && error.retryable());
    }

    /** The submission was rejected. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private static final Set<Integer> RETRYABLE = Set.of(408, 429);

        private final transient ChatError error;

        Refused(SondeApiException e) {
            super(e);
            boolean retryable = RETRYABLE.contains(e.status()) || e.status() >= 500;
            error = new ChatError(e.code(), e.getMessage(), retryable);
        }
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
