package sonde.client.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import sonde.client.JsonMatcher;
import sonde.client.NodeProgram;

/** Output and exit codes of the command line, which all clients share. */
class CommandLineIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final String STATE = ".local/state/sonde";

    private static NodeProgram stand;
    private static NodeProgram replay;
    private static Sandbox sandbox;

    @BeforeAll
    static void start() throws IOException {
        stand = NodeProgram.stand(Map.of());
        sandbox = new Sandbox(stand.url("model"));
        replay = NodeProgram.replay();
    }

    @AfterAll
    static void stop() throws IOException {
        stand.close();
        replay.close();
    }

    @TestFactory
    Stream<DynamicTest> usage() throws IOException {
        return entries("usage");
    }

    @TestFactory
    Stream<DynamicTest> prints() throws IOException {
        return entries("prints");
    }

    @TestFactory
    Stream<DynamicTest> runs() throws IOException {
        return entries("runs");
    }

    @TestFactory
    Stream<DynamicTest> plays() throws IOException {
        return entries("plays");
    }

    private static Stream<DynamicTest> entries(String list) throws IOException {
        return StreamSupport.stream(NodeProgram.contract("cli.json").path(list).spliterator(), false)
                .map(entry -> DynamicTest.dynamicTest(entry.path("name").asText(), () -> check(list, entry)));
    }

    private static void check(String list, JsonNode entry) throws Exception {
        Path home = Files.createTempDirectory("sonde-cli");
        Path output = home.resolve("output");
        if (entry.has("dotenv")) Files.writeString(home.resolve(".env"), filled(entry, entry.path("dotenv").asText()));
        if (entry.has("state")) keep(home.resolve(STATE), files(entry, "state"));
        if (entry.has("input")) Files.writeString(home.resolve("input"), entry.path("input").asText());
        for (JsonNode fault : entry.path("faults")) sandbox.fault(fault.toString());
        CommandLine.Result result;
        try {
            result = isOfTheProcess(list, entry)
                    ? new CommandLine(home, settings(entry)).run(arguments(entry, output), stdin(entry))
                    : here(home, settings(entry), arguments(entry, output), stdin(entry));
        } finally {
            if (entry.has("faults")) sandbox.reset();
        }
        String message = result.stderr();
        assertEquals(entry.path("exit").asInt(), result.exit(), message);
        boolean whole = list.equals("usage") || list.equals("prints") || entry.has("stderr");
        if (whole) assertEquals(filled(entry, entry.path("stderr").asText("")), message);
        for (JsonNode text : entry.path("stderr_contains"))
            assertTrue(message.contains(filled(entry, text.asText())), message);
        for (JsonNode text : entry.path("stderr_lacks")) assertFalse(message.contains(text.asText()), message);
        checkStdout(entry, result.stdout());
        if (entry.has("output_file")) assertEquals(text(entry.path("output_file")), Files.readString(output));
        if (entry.has("output_json")) like(entry.path("output_json"), Files.readString(output));
        if (entry.has("keeps")) assertEquals(files(entry, "keeps"), stored(home.resolve(STATE)));
        if (entry.has("play")) assertEquals("{\"ok\":true,\"faults\":[]}", reported(entry));
        remove(home);
    }

    /** Help needs nothing else, and threads of runs that timed out end only with their process. */
    private static boolean isOfTheProcess(String list, JsonNode entry) {
        return list.equals("prints") || entry.path("exit").asInt() == 4;
    }

    /** Runs in this process, which is faster than starting another. */
    private static CommandLine.Result here(Path home, Map<String, String> settings, List<String> given, byte[] stdin) {
        Map<String, String> environment = new HashMap<>(settings);
        environment.putIfAbsent("HOME", home.toString());
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        Terminal none = new Terminal(false, false, false);
        InputStream in = new ByteArrayInputStream(stdin);
        int exit = Main.run(given, new ProcessContext(environment, in, stdout, stderr, none, false));
        return new CommandLine.Result(
                exit, stdout.toString(StandardCharsets.UTF_8), stderr.toString(StandardCharsets.UTF_8));
    }

    private static void keep(Path folder, Map<String, String> files) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, String> file : files.entrySet())
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }

    private static Map<String, String> stored(Path folder) throws IOException {
        Map<String, String> stored = new HashMap<>();
        if (!Files.isDirectory(folder)) return stored;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) stored.put(file.getFileName().toString(), Files.readString(file));
        }
        return stored;
    }

    private static Map<String, String> files(JsonNode entry, String name) {
        Map<String, String> files = new HashMap<>();
        for (Map.Entry<String, JsonNode> file : entry.path(name).properties())
            files.put(file.getKey(), filled(entry, file.getValue().asText()));
        return files;
    }

    private static String reported(JsonNode entry) throws Exception {
        URI report = URI.create(replay.url("url") + "/" + entry.path("play").asText() + "/_report");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(report).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static void checkStdout(JsonNode entry, String stdout) throws IOException {
        List<String> lines = stdout.lines().toList();
        if (entry.has("stdout")) assertEquals(entry.path("stdout").asText(), stdout);
        else if (entry.has("stdout_file")) assertEquals(text(entry.path("stdout_file")), stdout);
        else if (entry.has("stdout_json")) like(entry.path("stdout_json"), stdout);
        else if (entry.has("stdout_json_first")) {
            like(entry.path("stdout_json_first"), lines.get(0));
            like(entry.path("stdout_json_last"), lines.get(lines.size() - 1));
        } else if (entry.has("stdout_contains")) {
            for (JsonNode text : entry.path("stdout_contains")) assertTrue(stdout.contains(text.asText()), stdout);
        } else assertEquals("", stdout);
    }

    private static void like(JsonNode expected, String line) throws IOException {
        assertEquals(1, line.lines().count(), line);
        assertEquals("", JsonMatcher.difference("JSON", expected, MAPPER.readTree(line)));
    }

    private static String text(JsonNode file) throws IOException {
        return Files.readString(NodeProgram.CONTRACT.resolve("cli").resolve(file.asText()));
    }

    private static Map<String, String> settings(JsonNode entry) {
        Map<String, String> settings = new HashMap<>();
        for (Map.Entry<String, JsonNode> setting : entry.path("env").properties())
            settings.put(setting.getKey(), filled(entry, setting.getValue().asText()));
        return settings;
    }

    private static List<String> arguments(JsonNode entry, Path output) {
        return StreamSupport.stream(entry.path("args").spliterator(), false)
                .map(argument -> argument.asText()
                        .replace("{output}", output.toString())
                        .replace("{input}", output.resolveSibling("input").toString()))
                .toList();
    }

    private static byte[] stdin(JsonNode entry) {
        return Base64.getDecoder().decode(entry.path("stdin_base64").asText(""));
    }

    private static String filled(JsonNode entry, String text) {
        return text.replace("{relay}", stand.url("relay"))
                .replace("{model}", stand.url("model"))
                .replace("{play}", replay.url("url") + "/" + entry.path("play").asText());
    }

    private static void remove(Path home) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        }
    }
}
