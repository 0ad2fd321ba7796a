package sonde.client.cli;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What Ctrl-C does: what can be cancelled is, on a terminal after a question; what cannot is just left. */
final class Interrupt {
    private static final int CANCEL_SECONDS = 10;
    /** Saying something waits for what is being written, and that for a reader who may have stopped. */
    private static final int SAY_SECONDS = 1;
    private static final String QUESTION = "Cancel it? What it has cost so far is spent. [y/N] ";

    private final Output output;
    private final boolean canAsk;
    private volatile Runnable cancel;
    private boolean asking;
    private boolean ending;

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

    /** @param cancel cancels what is under way from now on */
    void cancelBy(Runnable cancel) {
        this.cancel = cancel;
    }

    /** Never returns once Ctrl-C has begun to end the process: what it cancels ends here, too. */
    synchronized void pass() throws InterruptedException {
        while (ending) wait();
    }

    private void pressed() {
        synchronized (this) {
            if (ending) return;
            boolean ask = canAsk && cancel != null && !asking;
            ending = !ask;
            asking |= ask;
        }
        if (ending || agreed()) end();
    }

    private boolean agreed() {
        output.live.stop();
        output.ask(QUESTION);
        String line = line();
        synchronized (this) {
            // The second Ctrl-C was faster.
            if (ending) return false;
            asking = false;
            ending = line.strip().equalsIgnoreCase("y");
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
        Runnable how = cancel;
        done(SAY_SECONDS, () -> {
            if (asked) output.ask("\n");
            output.close();
        });
        if (how != null && !done(CANCEL_SECONDS, how))
            done(SAY_SECONDS, () -> output.ask("sonde: it could not be cancelled, and goes on\n"));
        Runtime.getRuntime().halt(130);
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
