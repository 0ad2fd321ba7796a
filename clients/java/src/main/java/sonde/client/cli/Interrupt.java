package sonde.client.cli;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** What Ctrl-C does: a run that one can come back to is left, any other cancelled; a terminal is asked first. */
final class Interrupt {
    /** How long finding and cancelling a run may take. */
    private static final int CANCEL_SECONDS = 10;
    /** Saying something waits for what is being written, and that for a reader who may have stopped. */
    private static final int SAY_SECONDS = 1;
    private static final String QUESTION = "Cancel it now? [y/N] ";

    private final Output output;
    private final boolean canAsk;
    private volatile Supplier<UnderWay> find;
    private volatile UnderWay known;
    private boolean asking;
    private boolean ending;
    private boolean cancels;

    Interrupt(Output output, Terminal terminal) {
        this.output = output;
        this.canAsk = terminal.stdin() && terminal.stderr();
    }

    /**
     * Each Ctrl-C comes on a thread of its own. The class for it is not of the Java standard, though every JDK has it:
     * compiled against it, the build would warn; where it is missing, Ctrl-C just ends the process.
     */
    void listen() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Class<?>[] types = {handler};
            Object own = Proxy.newProxyInstance(Interrupt.class.getClassLoader(), types, (self, method, arguments) -> {
                if (method.getName().equals("handle")) pressed();
                return null;
            });
            Object ctrlC = signal.getConstructor(String.class).newInstance("INT");
            signal.getMethod("handle", signal, handler).invoke(null, ctrlC, own);
        } catch (ReflectiveOperationException e) {
            // As said above.
        }
    }

    /** @param find finds what is under way from now on */
    void findBy(Supplier<UnderWay> find) {
        this.find = find;
    }

    void knows(UnderWay run) {
        known = run;
        find = () -> run;
    }

    /** It has ended. */
    void forget() {
        known = null;
        find = null;
    }

    /** What is under way; null if its id is not known yet, or nothing is. */
    UnderWay known() {
        return known;
    }

    /** Never returns once Ctrl-C has begun to end the process: what it cancels ends here, too. */
    synchronized void pass() throws InterruptedException {
        while (ending) wait();
    }

    private void pressed() {
        synchronized (this) {
            if (ending) return;
            boolean ask = canAsk && find != null && !asking;
            ending = !ask;
            asking |= ask;
        }
        if (ending || agreed()) end();
    }

    private boolean agreed() {
        output.live.stop();
        UnderWay run = found(find);
        if (run != null) run.goesOn().forEach(output::say);
        output.ask(QUESTION);
        String line = line();
        synchronized (this) {
            // The second Ctrl-C was faster.
            if (ending) return false;
            asking = false;
            ending = line.strip().equalsIgnoreCase("y");
            cancels = ending;
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
        boolean asked = asking;
        Supplier<UnderWay> how = find;
        done(SAY_SECONDS, () -> {
            if (asked) output.ask("\n");
            output.close();
        });
        if (how != null) {
            String ended = ended(how);
            done(SAY_SECONDS, () -> output.ask(ended + "\n"));
        }
        Runtime.getRuntime().halt(130);
    }

    private String ended(Supplier<UnderWay> how) {
        UnderWay run = found(how);
        if (run == null) return "sonde: a run may have started; its id is unknown";
        String goesOn = String.join("\n", run.goesOn());
        if (!cancels && run.prefix() != null) return goesOn;
        if (done(CANCEL_SECONDS, run.cancel()))
            return "sonde: " + run.id() + " is cancelled; cost incurred so far is not refunded";
        return "sonde: " + run.id() + " could not be cancelled\n" + goesOn;
    }

    /** Null if it cannot be found in time. */
    private static UnderWay found(Supplier<UnderWay> how) {
        try {
            return CompletableFuture.supplyAsync(how).get(CANCEL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            return null;
        }
    }

    /** Whether it was done in time. */
    private static boolean done(int seconds, Runnable action) {
        try {
            CompletableFuture.runAsync(action).get(seconds, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            return false;
        }
    }
}
