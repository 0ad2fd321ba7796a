package sonde.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Standard output has the answer and nothing else; what is said of it goes to standard error. */
final class Output {
    private static final String CLEAR = "\r\u001b[K";

    final Live live = new Live(this);
    private final Writer stdout;
    private final Writer stderr;
    private final boolean lively;
    /** What is written to one is seen among what is written to the other. */
    private final boolean together;
    private final String file;
    private final StringBuilder text = new StringBuilder();
    private boolean drawn;
    private boolean midLine;
    private boolean quiet;
    private boolean closed;

    /** @param file where the answer goes; null: to standard output */
    Output(String file, Surroundings around) {
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

    /** Text is there to be read now: nothing is drawn over it any more. */
    private void quiet() {
        quiet = true;
        live.stop();
    }

    /** A piece of the answer. */
    synchronized void write(String piece) {
        if (closed || piece.isEmpty()) return;
        text.append(piece);
        if (file == null) print(piece);
    }

    /** What was written of the answer. */
    synchronized String text() {
        return text.toString();
    }

    /** Something that is known by a name; nothing if it is null. */
    void note(String name, String value) {
        if (value != null) say(name + ": " + value);
    }

    /** A step of a run: in the live line, or a line of its own; never in the middle of a text. */
    synchronized void progress(JsonNode step) {
        String line = live.progress(step);
        boolean drawn = lively && !quiet;
        if (line != null && !drawn && !midLine) say(line);
    }

    /** A line on standard error. */
    synchronized void say(String line) {
        if (closed) return;
        clear();
        send(stderr, (midLine ? "\n" : "") + line + "\n");
        midLine = false;
    }

    /** A question on standard error, also when nothing else is said any more. */
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

    /** The answer is whole. False: the file could not be written, and it is on standard output instead. */
    synchronized boolean finish() {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') write("\n");
        live.stop();
        clear();
        if (file == null || text.isEmpty() || closed) return true;
        try {
            Files.write(Path.of(file), text.toString().getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException e) {
            say("sonde: --output: \"" + file + "\" cannot be written");
            print(text.toString());
            return false;
        }
    }

    /** Nothing more is written or said. */
    synchronized void close() {
        live.stop();
        clear();
        closed = true;
    }

    private void print(String piece) {
        if (together) quiet();
        clear();
        midLine = together && !piece.endsWith("\n");
        if (!send(stdout, piece)) Runtime.getRuntime().halt(1); // Who reads no further wants no more.
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

    /** Refuses a file that an answer could not be written to, before it is paid for. */
    static void check(String file) {
        if (file == null) return;
        try {
            Path path = Path.of(file);
            Path folder = path.toAbsolutePath().getParent();
            boolean there = Files.exists(path);
            if (!there && (file.endsWith("/") || folder == null || !Files.isDirectory(folder)))
                throw new UsageFault("--output: the folder of \"" + file + "\" does not exist");
            if (Files.isDirectory(path) && !file.isEmpty())
                throw new UsageFault("--output: \"" + file + "\" is a folder");
            if (!file.isEmpty() && Files.isWritable(there ? path : folder)) return;
        } catch (InvalidPathException e) {
            // The same as a name that the system does not take.
        }
        throw new UsageFault("--output: \"" + file + "\" cannot be written");
    }
}
