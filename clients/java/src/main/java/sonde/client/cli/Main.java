package sonde.client.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import sonde.client.ModelClient;
import sonde.client.PlanDecision;
import sonde.client.SondeApiException;
import sonde.client.SondeClient;
import sonde.client.SondeException;
import sonde.client.SondeTimeoutException;
import sonde.client.SondeUsageException;
import sonde.client.Version;

/** The command line. */
public final class Main {
    /** Time that a run with its own time limit may exceed it by. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private Main() {}

    /**
     * Runs the command line and ends the process.
     *
     * @param arguments flags and words of the prompt
     */
    public static void main(String[] arguments) {
        int code = run(Arguments.of(arguments), ProcessContext.ofTheProcess());
        // Ends the process even if threads are still waiting for an endpoint.
        Runtime.getRuntime().halt(code);
    }

    /** Returns the exit code. Threads of a run that timed out may still be running. */
    static int run(List<String> arguments, ProcessContext around) {
        try {
            return start(arguments, around);
        } catch (UsageError error) {
            new Output(null, around).log("sonde: " + error.getMessage());
            return 2;
        } catch (IOException e) {
            new Output(null, around).log("sonde: standard input cannot be read");
            return 2;
        } catch (InterruptedException e) {
            return 130;
        }
    }

    private static int start(List<String> arguments, ProcessContext around) throws IOException, InterruptedException {
        Flags flags = Flags.read(arguments);
        if (flags.has("--help")) return print(Help.TEXT, around);
        if (flags.has("--version")) return print("sonde-client " + Version.VERSION + "\n", around);
        String prompt = flags.command() == null ? Input.prompt(flags.words(), around.stdin()) : flags.words();
        PlanDecision.Edited edited = flags.edit() == null ? null : PlanInput.read(flags.edit(), around.stdin());
        Output.check(flags.output());
        Settings settings = new Settings(around.environment());
        ModelClient model = settings.model(flags);
        SondeClient sonde = settings.sonde(flags);
        Output output = new Output(flags.output(), around);
        Interrupt interrupt = new Interrupt(output, around.terminal());
        if (around.hasSignals()) interrupt.listen();
        Tokens tokens = settings.tokens(flags);
        int code = execute(new Run(flags, prompt, edited, output, interrupt, model, sonde, tokens), settings.urls(flags));
        interrupt.pass();
        return output.finish() ? code : 1;
    }

    private static int print(String text, ProcessContext around) {
        new Output(null, around).write(text);
        return 0;
    }

    private static int execute(Run run, List<String> urls) throws InterruptedException {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        Thread worker = new Thread(() -> work(run, answer), "sonde");
        worker.setDaemon(true);
        run.output().start();
        worker.start();
        Duration limit = hasOwnLimit(run) ? run.flags().timeout().plus(GRACE) : run.flags().timeout();
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return late(run);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SondeException failure) return reportFailure(run, failure, urls);
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Whether the run applies the time limit itself. */
    private static boolean hasOwnLimit(Run run) {
        return run.model() != null && run.sonde() != null;
    }

    private static void work(Run run, CompletableFuture<Integer> answer) {
        try {
            answer.complete(start(run));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    private static int start(Run run) {
        if (run.flags().command() != null) return new Commands(run).run();
        if (!run.flags().isRelay()) return new Direct(run).run();
        return run.flags().has("--auto-tool-call") ? new Chat(run).run() : new Research(run).run();
    }

    private static int late(Run run) {
        run.output().log("sonde: no response within " + run.flags().seconds() + " s; work already started may continue");
        ActiveRun active = run.interrupt().tracked();
        if (active != null) active.resumeHints().stream().skip(1).forEach(run.output()::log);
        return 4;
    }

    private static int reportFailure(Run run, SondeException failure, List<String> urls) {
        // Any other time-out is that of a silent connection.
        if (failure instanceof SondeTimeoutException && hasOwnLimit(run)) return late(run);
        StringBuilder line = new StringBuilder("sonde: ").append(failure.getMessage());
        // If only one endpoint is configured, the error belongs to it.
        String url = failure.url() == null && urls.size() == 1 ? urls.get(0) : failure.url();
        String where = url == null || failure instanceof SondeUsageException ? "" : "\n  at " + url;
        if (failure instanceof SondeApiException error) {
            line.append(" (code ").append(error.code());
            if (error.requestId() != null) line.append(", request ").append(error.requestId());
            line.append(")");
            error.errors().forEach(field ->
                    line.append("\n  ").append(field.path()).append(": ").append(field.message()));
            run.output().log(line.append(where).toString());
            return 1;
        }
        run.output().log(line.append(where).toString());
        return failure instanceof SondeUsageException ? 2 : 3;
    }
}
