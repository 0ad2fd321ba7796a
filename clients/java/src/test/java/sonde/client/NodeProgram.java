package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A program of this project that prints its URLs as one line of JSON and exits when its standard input closes. */
public final class NodeProgram implements AutoCloseable {
    /** The root of the project. */
    public static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    public static final Path CONTRACT = ROOT.resolve("clients/contract");

    private final Process process;
    private final JsonNode urls;

    private NodeProgram(Path program, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of("node", program.toString()));
        builder.environment().putAll(environment);
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        urls = Json.parse(out.readLine());
    }

    /** Replays the cases of the contract. */
    public static NodeProgram replay() throws IOException {
        return new NodeProgram(CONTRACT.resolve("replay.mjs"), Map.of());
    }

    /** A complete installation. */
    public static NodeProgram stand(Map<String, String> environment) throws IOException {
        return new NodeProgram(ROOT.resolve("dist/test/clients/stand.js"), environment);
    }

    /** One of the URLs it printed. */
    public String url(String name) {
        return urls.path(name).asText();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A file of the contract. */
    public static JsonNode contract(String name) throws IOException {
        return Json.parse(Files.readAllBytes(CONTRACT.resolve(name)));
    }

    /** All JSON files of a folder of the contract, in order. */
    public static List<Path> files(String folder) throws IOException {
        try (Stream<Path> files = Files.list(CONTRACT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
    }
}
