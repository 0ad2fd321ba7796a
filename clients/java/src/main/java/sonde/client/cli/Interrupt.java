package sonde.client.cli;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Handles Ctrl-C: detaches from a run that can be resumed and cancels any other. On a terminal it asks first. */
final class Interrupt {
    /** Time limit for finding or cancelling a run. */
    private static final int CANCEL_SECONDS = 10;
    /** Time limit for printing, which may block on a reader that has stopped. */
    private static final int PRINT_SECONDS = 1;
    private static final String QUESTION = "Cancel it now? [y/N] ";

    private final Output output;
    private final boolean canAsk;
    private volatile Supplier<ActiveRun> findRun;
    private volatile ActiveRun tracked;
    private boolean prompting;
    private boolean ending;
    private boolean cancelRequested;

    Interrupt(Output output, Terminal terminal) {
        this.output = output;
        this.canAsk = terminal.stdin() && terminal.stderr();
    }

    /**
     * Each Ctrl-C is handled on its own thread. The signal class is not part of the Java standard but of every JDK;
     * reflection avoids a compiler warning. Without it, Ctrl-C ends the process.
     */
    void listen() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Class<?>[] types = {handler};
            Object own = Proxy.newProxyInstance(Interrupt.class.getClassLoader(), types, (self, method, arguments) -> {
                if (method.getName().equals("handle")) onSigint();
                return null;
            });
            Object ctrlC = signal.getConstructor(String.class).newInstance("INT");
            signal.getMethod("handle", signal, handler).invoke(null, ctrlC, own);
        } catch (ReflectiveOperationException e) {
            // The JDK lacks the class; see above.
        }
    }

    /** @param findRun finds the active run from now on */
    void findWith(Supplier<ActiveRun> findRun) {
        this.findRun = findRun;
    }

    void track(ActiveRun run) {
        tracked = run;
        findRun = () -> run;
    }

    /** The run has ended. */
    void untrack() {
        tracked = null;
        findRun = null;
    }

    /** The active run; null if its id is not known yet, or there is none. */
    ActiveRun tracked() {
        return tracked;
    }

    /** Never returns once Ctrl-C has started to end the process. */
    synchronized void pass() throws InterruptedException {
        while (ending) wait();
    }

    private void onSigint() {
        synchronized (this) {
            if (ending) return;
            boolean ask = canAsk && findRun != null && !prompting;
            ending = !ask;
            prompting |= ask;
        }
        if (ending || confirmed()) end();
    }

    private boolean confirmed() {
        output.live.stop();
        ActiveRun run = found(findRun);
        if (run != null) run.resumeHints().forEach(output::log);
        output.ask(QUESTION);
        String line = line();
        synchronized (this) {
            // A second Ctrl-C was pressed meanwhile.
            if (ending) return false;
            prompting = false;
            ending = line.strip().equalsIgnoreCase("y");
            cancelRequested = ending;
            if (!ending) output.start();
            return ending;
        }
    }

    private static String line() {
        StringBuilder line = new StringBuilder();
        try {
            for (int c = System.in.read(); c >= 0 && c != '\n'; c = System.in.read()) line.append((char) c);
        } catch (IOException e) {
            return "";
        }
        return line.toString();
    }

    private void end() {
        boolean prompted = prompting;
        Supplier<ActiveRun> find = findRun;
        done(PRINT_SECONDS, () -> {
            if (prompted) output.ask("\n");
            output.close();
        });
        if (find != null) {
            String message = message(find);
            done(PRINT_SECONDS, () -> output.ask(message + "\n"));
        }
        Runtime.getRuntime().halt(130);
    }

    private String message(Supplier<ActiveRun> find) {
        ActiveRun run = found(find);
        if (run == null) return "sonde: a run may have started; its id is unknown";
        String resumeHints = String.join("\n", run.resumeHints());
        if (!cancelRequested && run.prefix() != null) return resumeHints;
        if (done(CANCEL_SECONDS, run.cancel()))
            return "sonde: " + run.id() + " is cancelled; cost incurred so far is not refunded";
        return "sonde: " + run.id() + " could not be cancelled\n" + resumeHints;
    }

    /** Null if the run cannot be found in time. */
    private static ActiveRun found(Supplier<ActiveRun> find) {
        try {
            return CompletableFuture.supplyAsync(find).get(CANCEL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            return null;
        }
    }

    /** Whether the action completed in time. */
    private static boolean done(int seconds, Runnable action) {
        try {
            CompletableFuture.runAsync(action).get(seconds, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            return false;
        }
    }
}
