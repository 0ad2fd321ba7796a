package sonde.client.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import sonde.client.NodeProgram;
import sonde.client.Ref;
import sonde.client.SondeClient;

/** Ctrl-C, and Korean where the locale does not know it. */
class CommandLineInUseIT {
    private static final String QUESTION = "짜장면의 역사를 자세히 알려줘";

    /** A research that never ends; the turns of the chat model do. */
    private static final String STAYS =
            """
            {"kind": "stay", "status": "in_progress", "count": 0, "match": {"background": true}}""";

    private static NodeProgram stand;
    private static Sandbox sandbox;

    @TempDir
    Path home;

    @BeforeAll
    static void start() throws IOException {
        stand = NodeProgram.stand(Map.of());
        sandbox = new Sandbox(stand.url("model"));
    }

    @AfterAll
    static void stop() throws IOException {
        stand.close();
    }

    @AfterEach
    void reset() throws Exception {
        sandbox.reset();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void cancelsAResearchInBackground() throws Exception {
        assertEquals("cancelled", interrupted("--background", QUESTION));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void cancelsAStream() throws Exception {
        assertEquals("cancelled", interrupted("--stream", QUESTION));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void cancelsAResearchWhoseIdItDoesNotKnowYet() throws Exception {
        interruptedUnknown(QUESTION);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void cancelsAChatWhoseIdItDoesNotKnowYet() throws Exception {
        interruptedUnknown("--auto-tool-call", QUESTION);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void takesKoreanArgumentsInALocaleWithoutKorean() throws Exception {
        CommandLine line = new CommandLine(home, Map.of("LC_ALL", "C", "RELAY_BASE_URL", stand.url("relay")));
        answers(line.run(List.of("--target", "relay", QUESTION), new byte[0]));
    }

    @Test
    void printsUtf8WhateverTheEncodingOfFiles() throws Exception {
        answers(korean().run(List.of("--target=relay", "-"), QUESTION.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void readsCodePage949() throws Exception {
        answers(korean().run(List.of("--target=relay", "-"), QUESTION.getBytes(Charset.forName("x-windows-949"))));
    }

    @Test
    void readsUtf16() throws Exception {
        byte[] bytes = ("\uFEFF" + QUESTION).getBytes(StandardCharsets.UTF_16LE);
        answers(korean().run(List.of("--target=relay", "-"), bytes));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void runsInAHomeThatTheLocaleLacks() throws Exception {
        Map<String, String> settings =
                Map.of("LC_ALL", "C", "HOME", "/home/홍길동", "RELAY_BASE_URL", stand.url("relay"));
        answers(new CommandLine(home, settings).run(List.of("--target", "relay", QUESTION), new byte[0]));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void readsNoSettingsOfTheFolderItIsRunIn() throws Exception {
        Files.writeString(home.resolve(".env"), "LITELLM_BASE_URL=ftp://elsewhere");
        CommandLine.Result result =
                new CommandLine(home, Map.of("HOME", ""), "-Duser.home=/nowhere").run(List.of("Hello"), new byte[0]);
        assertEquals("sonde: LITELLM_BASE_URL is not set, e.g. https://api.openai.com/v1\n", result.stderr());
    }

    private CommandLine korean() {
        Map<String, String> settings = Map.of("LC_ALL", "C", "RELAY_BASE_URL", stand.url("relay"));
        return new CommandLine(home, settings, "-Dfile.encoding=MS949");
    }

    private static void answers(CommandLine.Result result) throws IOException {
        assertEquals(Files.readString(NodeProgram.CONTRACT.resolve("cli/report-ko.txt")), result.stdout());
        assertEquals(0, result.exit(), result.stderr());
    }

    /** The status of the record after Ctrl-C. */
    private String interrupted(String... arguments) throws Exception {
        sandbox.fault(STAYS);
        CommandLine line = hearingOfInterrupts();
        Process process = line.start(relay(arguments));
        Sandbox.until("the token is said", () -> line.read("stderr").contains("invocation_token: ivt_"));
        interrupt(process);
        CommandLine.Result result = line.result(process);
        assertEquals(130, result.exit(), result.stderr());
        Ref ref = Ref.of(said(result, "invocation_id"), said(result, "invocation_token"));
        return SondeClient.builder()
                .baseUrl(stand.url("relay"))
                .build()
                .wait(ref)
                .status();
    }

    private void interruptedUnknown(String... arguments) throws Exception {
        sandbox.fault(STAYS);
        long cancels = sandbox.count("cancels");
        CommandLine line = hearingOfInterrupts();
        long creates = sandbox.count("creates");
        Process process = line.start(relay(arguments));
        Sandbox.until("the research is bought", () -> sandbox.count("creates") > creates);
        interrupt(process);
        assertEquals(130, line.result(process).exit(), line.read("stderr"));
        // On a busy machine its id may be known by now.
        assertFalse(line.read("stderr").contains("sonde: "), line.read("stderr"));
        Sandbox.until("the research is cancelled", () -> sandbox.count("cancels") > cancels);
        assertEquals(creates + 1, sandbox.count("creates"));
    }

    private CommandLine hearingOfInterrupts() {
        return new CommandLine(home, Map.of("RELAY_BASE_URL", stand.url("relay"))).hearingOfInterrupts();
    }

    private static List<String> relay(String... arguments) {
        return Stream.concat(Stream.of("--target=relay"), Arrays.stream(arguments))
                .toList();
    }

    private static void interrupt(Process process) throws Exception {
        int sent = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                .start()
                .waitFor();
        assertEquals(0, sent);
    }

    private static String said(CommandLine.Result result, String name) {
        Matcher matcher = Pattern.compile("^" + name + ": (\\S+)$", Pattern.MULTILINE).matcher(result.stderr());
        assertTrue(matcher.find(), result.stderr());
        return matcher.group(1);
    }
}
