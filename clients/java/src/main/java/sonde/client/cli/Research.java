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

/** Runs deep research in Sonde, in the mode that the flags select. */
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
                .timeout(Run.MAX_TIMEOUT)
                .stream(run.stream());
    }

    private static ResearchArguments arguments(Run run) {
        Flags flags = run.flags();
        ResearchArguments arguments = ResearchArguments.of(run.prompt());
        if (flags.plan() != null) arguments = arguments.plan(flags.plan());
        if (flags.systemPrompt() != null) arguments = arguments.systemPrompt(flags.systemPrompt());
        if (!flags.context.isEmpty()) arguments = arguments.context(flags.context);
        if (flags.deliverableFormat() == null) return arguments;
        return arguments.deliverableFormat(flags.deliverableFormat());
    }

    int run() {
        return end(run, run.stream() || run.flags().has("--background") ? followed() : awaited());
    }

    /** Prints what has not been printed yet, reports failures and returns the exit code. */
    static int end(Run run, Invocation invocation) {
        Output output = run.output();
        output.field("upstream_response_id", invocation.upstreamResponseId());
        String report = invocation.outputText() == null ? "" : invocation.outputText();
        if (!run.json()) output.write(unprinted(report, output.text()));
        else if (!run.stream()) output.write(Run.json(invocation.raw()));
        if ("requires_action".equals(invocation.status())) {
            PlanOutput.show(run, invocation);
            return 5;
        }
        String failure = failure(invocation);
        if (failure == null) return 0;
        output.log("sonde: the research " + failure);
        return 1;
    }

    private Invocation awaited() {
        // The id is unknown until the reply arrives; the same request with the same key and no wait returns it.
        run.interrupt().findWith(() ->
                activeRun(run, sonde.invoke(TOOL, arguments, options.waitAtMost(Duration.ZERO))));
        Invocation invocation =
                onSubmitted(run, sonde.invoke(TOOL, arguments, options.waitAtMost(run.foregroundWait())));
        if (invocation.isSettled()) return invocation;
        try {
            return follow(run, invocation);
        } catch (SondeException e) {
            // Events are only displayed; if they fail, the record is still fetched.
            return sonde.wait(invocation, Run.MAX_TIMEOUT);
        }
    }

    private Invocation followed() {
        run.interrupt().findWith(() -> activeRun(run, sonde.submit(TOOL, arguments, options)));
        return follow(run, onSubmitted(run, sonde.submit(TOOL, arguments, options)));
    }

    /** Prints the events of a run until it ends or requires action. */
    static Invocation follow(Run run, Ref ref) {
        try (EventStream<InvocationEvent> events = run.sonde().events(ref)) {
            for (InvocationEvent event : events) {
                if (event.type().equals("progress")) run.output().progress(event.data());
                if (run.stream()) run.output().write(run.json() ? Run.json(event) + "\n" : event.text());
                // The event stays in the log after the decision.
                if (event.type().equals("requires_action") && run.sonde().get(ref).isSettled()) break;
            }
        }
        // Returns immediately, except after a gap.
        return run.sonde().wait(ref, Run.MAX_TIMEOUT);
    }

    /** Prints the ids of a new run, which Ctrl-C detaches from. */
    static Invocation onSubmitted(Run run, Invocation invocation) {
        Output output = run.output();
        output.field("invocation_id", invocation.invocationId());
        output.field("invocation_token", invocation.invocationToken());
        run.interrupt().track(activeRun(run, invocation));
        return invocation;
    }

    /** The run that Ctrl-C detaches from or cancels. */
    static ActiveRun activeRun(Run run, Ref ref) {
        return new ActiveRun(ref.id(), () -> run.sonde().cancel(ref), run.tokens().save(ref.id(), ref.token()));
    }

    /** The text that the stream did not contain. After a gap the whole text is printed again. */
    static String unprinted(String whole, String written) {
        if (whole.startsWith(written)) return whole.substring(written.length());
        return whole.isEmpty() ? "" : "\n\n" + whole;
    }

    private static String failure(Invocation invocation) {
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
