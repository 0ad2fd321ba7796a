package sonde.client.cli;

import java.time.Duration;
import java.util.UUID;
import sonde.client.EventStream;
import sonde.client.InvocationEvent;
import sonde.client.Invocation;
import sonde.client.InvokeOptions;
import sonde.client.Ref;
import sonde.client.ResearchArguments;
import sonde.client.SondeClient;
import sonde.client.SondeException;

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
        return end(run, run.stream() || run.flags().has("--background") ? followed() : awaited());
    }

    /** Prints what has not been printed yet, says what is wrong, and gives the exit code. */
    static int end(Run run, Invocation invocation) {
        Output output = run.output();
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
        // Its id is not known before it has ended; the same again, without waiting, has it.
        run.interrupt().findBy(() ->
                underWay(run, sonde.invoke(TOOL, arguments, options.waitAtMost(Duration.ZERO))));
        Invocation invocation = begun(sonde.invoke(TOOL, arguments, options.waitAtMost(run.held())));
        if (invocation.isFinal()) return invocation;
        try {
            return follow(run, invocation);
        } catch (SondeException e) {
            // Its events are there to be shown; the record itself comes over any connection.
            return sonde.wait(invocation, Run.ANY_TIME);
        }
    }

    private Invocation followed() {
        run.interrupt().findBy(() -> underWay(run, sonde.submit(TOOL, arguments, options)));
        return follow(run, begun(sonde.submit(TOOL, arguments, options)));
    }

    /** Shows what happens to it until it has ended. */
    static Invocation follow(Run run, Ref ref) {
        try (EventStream<InvocationEvent> events = run.sonde().events(ref)) {
            for (InvocationEvent event : events) {
                if (event.type().equals("progress")) run.output().progress(event.data());
                if (run.stream()) run.output().write(run.json() ? Run.json(event) + "\n" : event.text());
            }
        }
        // Final already, but after a gap.
        return run.sonde().wait(ref, Run.ANY_TIME);
    }

    private Invocation begun(Invocation invocation) {
        output.note("invocation_id", invocation.invocationId());
        output.note("invocation_token", invocation.invocationToken());
        run.interrupt().knows(underWay(run, invocation));
        return invocation;
    }

    /** What Ctrl-C leaves behind, or cancels. */
    static UnderWay underWay(Run run, Ref ref) {
        return new UnderWay(ref.id(), () -> run.sonde().cancel(ref), run.tokens().keep(ref.id(), ref.token()));
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
