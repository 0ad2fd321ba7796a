package sonde.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.UUID;
import sonde.client.EventStream;
import sonde.client.InvocationEvent;
import sonde.client.Invocation;
import sonde.client.InvokeOptions;
import sonde.client.ResearchArguments;
import sonde.client.SondeClient;

/** A research by Sonde, in the mode that the flags ask for. */
final class Research {
    private static final String TOOL = "deep_research";

    private final Run run;
    private final SondeClient sonde;
    private final Output output;
    private final ResearchArguments arguments;
    private final InvokeOptions options;

    Research(Run run) {
        this.run = run;
        this.sonde = run.sonde();
        this.output = run.output();
        this.arguments = arguments(run);
        this.options = InvokeOptions.DEFAULT
                .idempotencyKey(UUID.randomUUID().toString())
                .timeout(Run.ANY_TIME)
                .stream(run.stream());
    }

    private static ResearchArguments arguments(Run run) {
        Flags flags = run.flags();
        ResearchArguments arguments = ResearchArguments.of(run.prompt());
        if (flags.systemPrompt() != null) arguments = arguments.systemPrompt(flags.systemPrompt());
        if (!flags.context.isEmpty()) arguments = arguments.context(flags.context);
        if (flags.deliverableFormat() == null) return arguments;
        return arguments.deliverableFormat(flags.deliverableFormat());
    }

    int run() {
        Invocation invocation = run.stream() || run.flags().has("--background") ? followed() : awaited();
        output.note("upstream_response_id", invocation.upstreamResponseId());
        String report = invocation.outputText() == null ? "" : invocation.outputText();
        if (!run.json()) output.write(unwritten(report, output.text()));
        else if (!run.stream()) output.write(Run.json(invocation.raw()));
        String fault = fault(invocation);
        if (fault == null) return 0;
        output.say("sonde: the research " + fault);
        return 1;
    }

    private Invocation awaited() {
        // Its id is not known before it has ended; the same again, without waiting, tells it.
        run.interrupt().cancelBy(() ->
                sonde.cancel(sonde.invoke(TOOL, arguments, options.waitAtMost(Duration.ZERO))));
        Invocation invocation = begun(sonde.invoke(TOOL, arguments, options.waitAtMost(run.held())));
        return invocation.isFinal() ? invocation : sonde.wait(invocation, Run.ANY_TIME);
    }

    private Invocation followed() {
        run.interrupt().cancelBy(() -> sonde.cancel(sonde.submit(TOOL, arguments, options)));
        Invocation invocation = begun(sonde.submit(TOOL, arguments, options));
        try (EventStream<InvocationEvent> events = sonde.events(invocation)) {
            for (InvocationEvent event : events) {
                if (event.type().equals("progress")) output.live.progress(event.data());
                if (run.stream()) output.write(run.json() ? Run.json(event) + "\n" : event.text());
            }
        }
        // Final already, but after a gap.
        return sonde.wait(invocation, Run.ANY_TIME);
    }

    private Invocation begun(Invocation invocation) {
        run.interrupt().cancelBy(() -> sonde.cancel(invocation));
        output.note("invocation_id", invocation.invocationId());
        output.note("invocation_token", invocation.invocationToken());
        return invocation;
    }

    /** What a stream has not brought; after a gap all of it is said again. */
    static String unwritten(String whole, String written) {
        if (whole.startsWith(written)) return whole.substring(written.length());
        return whole.isEmpty() ? "" : "\n\n" + whole;
    }

    private static String fault(Invocation invocation) {
        String code = invocation.error() == null ? invocation.status() : invocation.error().code();
        String message = invocation.errorMessage() == null ? code : invocation.errorMessage();
        return switch (String.valueOf(invocation.status())) {
            case "completed" -> null;
            case "incomplete" -> "ended early: " + code;
            case "cancelled" -> "was cancelled";
            default -> "failed: " + message;
        };
    }
}
