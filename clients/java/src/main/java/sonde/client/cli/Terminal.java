package sonde.client.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Which of the standard streams are a terminal, and their encoding. */
record Terminal(boolean stdin, boolean stdout, boolean stderr) {
    static final boolean IS_WINDOWS = System.getProperty("os.name").startsWith("Windows");

    private static final String TESTS =
            "r=0; test -t 0 && r=1; test -t 1 && r=$((r+2)); test -t 2 && r=$((r+4)); exit $r";

    /** Java reports standard input and output together at most; a shell reports each. */
    static Terminal find() {
        if (IS_WINDOWS) {
            boolean console = isConsole();
            return new Terminal(console, console, console);
        }
        try {
            int found = new ProcessBuilder("/bin/sh", "-c", TESTS).inheritIO().start().waitFor();
            return new Terminal((found & 1) != 0, (found & 2) != 0, (found & 4) != 0);
        } catch (IOException e) {
            return new Terminal(false, false, false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Terminal(false, false, false);
        }
    }

    /** From Java 22 on, a console exists without a terminal, too. */
    private static boolean isConsole() {
        Console console = System.console();
        try {
            return console != null
                    && (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return console != null;
        }
    }

    /** Pipes use UTF-8 in every locale; a terminal has its own encoding. */
    static Charset charset(boolean terminal) {
        if (!terminal) return StandardCharsets.UTF_8;
        Console console = System.console();
        if (console != null) return console.charset();
        String own = System.getProperty("native.encoding", "UTF-8");
        return Charset.isSupported(own) ? Charset.forName(own) : StandardCharsets.UTF_8;
    }
}
