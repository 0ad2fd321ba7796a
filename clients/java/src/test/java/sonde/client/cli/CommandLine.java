package sonde.client.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the command line as a separate process with its own home directory and settings. */
final class CommandLine {
    /** The exit code and the output. */
    record Result(int exit, String stdout, String stderr) {}

    /** A class data archive shared by all processes: loading classes takes most of a short run. */
    private static final Path CLASSES = archived(Path.of("target/sonde-client.jsa").toAbsolutePath());

    private final List<String> command = new ArrayList<>();
    private final Path home;
    private final Map<String, String> settings;

    CommandLine(Path home, Map<String, String> settings, String... options) {
        this.home = home;
        this.settings = settings;
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:SharedArchiveFile=" + CLASSES);
        command.addAll(List.of(options));
        command.addAll(List.of("-jar", Path.of("target/sonde-client.jar").toAbsolutePath().toString()));
    }

    private static Path archived(Path classes) {
        try {
            Files.deleteIfExists(classes);
            ProcessBuilder builder = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:ArchiveClassesAtExit=" + classes,
                    "-jar",
                    Path.of("target/sonde-client.jar").toAbsolutePath().toString(),
                    "list");
            // No server listens there; the run ends after loading most classes.
            builder.environment().put("RELAY_BASE_URL", "http://127.0.0.1:2");
            builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
            // Java also starts without the archive, only slower.
            if (!Files.exists(classes)) throw new IllegalStateException("the archive of classes was not written");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the archive of classes was not written", e);
        }
        return classes;
    }

    /** Shells start background processes with SIGINT ignored, which Java inherits; these runs restore it. */
    CommandLine hearingOfInterrupts() {
        command.addAll(0, List.of("perl", "-e", "$SIG{INT} = 'DEFAULT'; exec @ARGV"));
        return this;
    }

    Process start(List<String> arguments) throws IOException {
        List<String> line = new ArrayList<>(command);
        line.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(line).directory(home.toFile());
        builder.environment().clear();
        builder.environment().put("HOME", home.toString());
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().putAll(settings);
        return builder.redirectOutput(file("stdout")).redirectError(file("stderr")).start();
    }

    Result run(List<String> arguments, byte[] stdin) throws IOException, InterruptedException {
        Process process = start(arguments);
        try (OutputStream in = process.getOutputStream()) {
            in.write(stdin);
        } catch (IOException e) {
            // Most runs end without reading standard input.
        }
        return result(process);
    }

    Result result(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("it did not end; standard error: " + read("stderr"));
        }
        return new Result(process.exitValue(), read("stdout"), read("stderr"));
    }

    /** The output so far. */
    String read(String stream) throws IOException {
        return Files.readString(file(stream).toPath(), StandardCharsets.UTF_8);
    }

    private File file(String stream) {
        return home.resolve(stream + ".txt").toFile();
    }
}
