package sonde.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Writes the answer to standard output, or to a file, and all messages to standard error. */
final class Output {
    private static final String CLEAR = "\r\u001b[K";

    final Live live = new Live(this);
    private final Writer stdout;
    private final Writer stderr;
    private final boolean lively;
    /** Standard output and standard error are the same terminal. */
    private final boolean together;
    private final String file;
    private final StringBuilder text = new StringBuilder();
    private boolean drawn;
    private boolean midLine;
    private boolean quiet;
    private boolean closed;

    /** @param file destination of the answer; null for standard output */
    Output(String file, ProcessContext around) {
        Terminal terminal = around.terminal();
        this.file = file;
        this.lively = terminal.stderr();
        this.together = terminal.stdout() && terminal.stderr();
        stdout = new OutputStreamWriter(around.stdout(), Terminal.charset(terminal.stdout()));
        stderr = new OutputStreamWriter(around.stderr(), Terminal.charset(terminal.stderr()));
    }

    synchronized void start() {
        if (lively && !quiet) live.start();
    }

    /** Stops the status line, because it would overwrite text. */
    private void quiet() {
        quiet = true;
        live.stop();
    }

    /** Writes a piece of the answer. */
    synchronized void write(String piece) {
        if (closed || piece.isEmpty()) return;
        text.append(piece);
        if (file == null) print(piece);
    }

    /** The part of the answer written so far. */
    synchronized String text() {
        return text.toString();
    }

    /** Prints a named value, unless it is null. */
    void field(String name, String value) {
        if (value != null) log(name + ": " + value);
    }

    /** Shows a step in the status line or on a line of its own, never within a line of text. */
    synchronized void progress(JsonNode step) {
        String line = live.progress(step);
        boolean drawn = lively && !quiet;
        if (line != null && !drawn && !midLine) log(line);
    }

    /** Prints a line to standard error. */
    synchronized void log(String line) {
        if (closed) return;
        clear();
        send(stderr, (midLine ? "\n" : "") + line + "\n");
        midLine = false;
    }

    /** Prints to standard error, even after {@link #close}. */
    synchronized void ask(String question) {
        clear();
        send(stderr, (midLine ? "\n" : "") + question);
        midLine = false;
    }

    synchronized void draw(String line) {
        if (closed || quiet) return;
        send(stderr, CLEAR + line);
        drawn = true;
    }

    /**
     * Completes the answer. Returns false if the file could not be written; the answer then goes to standard output.
     */
    synchronized boolean finish() {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') write("\n");
        live.stop();
        clear();
        if (file == null || text.isEmpty() || closed) return true;
        try {
            Files.write(Path.of(file), text.toString().getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException e) {
            log("sonde: --output: \"" + file + "\" cannot be written");
            print(text.toString());
            return false;
        }
    }

    /** Suppresses all further output. */
    synchronized void close() {
        live.stop();
        clear();
        closed = true;
    }

    private void print(String piece) {
        if (together) quiet();
        clear();
        midLine = together && !piece.endsWith("\n");
        if (!send(stdout, piece)) Runtime.getRuntime().halt(1); // The reader has closed the pipe.
    }

    private void clear() {
        if (drawn) send(stderr, CLEAR);
        drawn = false;
    }

    private static boolean send(Writer stream, String piece) {
        try {
            stream.write(piece);
            stream.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Rejects an unwritable output file before the answer is paid for. */
    static void check(String file) {
        if (file == null) return;
        try {
            Path path = Path.of(file);
            Path folder = path.toAbsolutePath().getParent();
            boolean there = Files.exists(path);
            if (!there && (file.endsWith("/") || folder == null || !Files.isDirectory(folder)))
                throw new UsageError("--output: the folder of \"" + file + "\" does not exist");
            if (Files.isDirectory(path) && !file.isEmpty())
                throw new UsageError("--output: \"" + file + "\" is a folder");
            if (!file.isEmpty() && Files.isWritable(there ? path : folder)) return;
        } catch (InvalidPathException e) {
            // Treated like a name that the system rejects.
        }
        throw new UsageError("--output: \"" + file + "\" cannot be written");
    }
}
