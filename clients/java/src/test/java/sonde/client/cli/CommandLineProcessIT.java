package sonde.client.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
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

/** Ctrl-C, and Korean text in locales that lack it. */
class CommandLineProcessIT {
    private static final String QUESTION = "짜장면의 역사를 자세히 알려줘";

    /** A research run that never ends; turns of the chat model do. */
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
    void detachesFromABackgroundResearch() throws Exception {
        interrupted("inv_", "--target=relay", "--background", QUESTION);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void detachesFromAStream() throws Exception {
        interrupted("inv_", "--target=relay", "--stream", QUESTION);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void detachesFromABackgroundChat() throws Exception {
        interrupted("chat_", "--background", QUESTION);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void detachesFromAResearchWhoseIdIsNotKnownYet() throws Exception {
        interruptedUnknown("inv_", "--target=relay", QUESTION);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void detachesFromAChatWhoseIdIsNotKnownYet() throws Exception {
        interruptedUnknown("chat_", QUESTION);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void cancelsAResponseThatCannotBeResumed() throws Exception {
        sandbox.fault(STAYS);
        CommandLine line = new CommandLine(home, Map.of("LITELLM_BASE_URL", stand.url("model"))).hearingOfInterrupts();
        Process process = line.start(List.of("--target=direct", "--background", QUESTION));
        Sandbox.until("the response is known", () -> line.read("stderr").contains("response_id: resp_"));
        interrupt(process);
        CommandLine.Result result = line.result(process);
        assertEquals(130, result.exit(), result.stderr());
        assertTrue(result.stderr().contains(" is cancelled; cost incurred so far is not refunded"), result.stderr());
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void storesTokensReadableByTheirOwnerOnly() throws Exception {
        Path state = home.resolve("state");
        Path old = Files.writeString(Files.createDirectories(state.resolve("sonde")).resolve("inv_0"), "ivt_0");
        Files.setLastModifiedTime(old, FileTime.fromMillis(0));
        Map<String, String> settings =
                Map.of("RELAY_BASE_URL", stand.url("relay"), "XDG_STATE_HOME", state.toString());
        answers(new CommandLine(home, settings).run(List.of("--target", "relay", QUESTION), new byte[0]));
        try (Stream<Path> files = Files.list(state.resolve("sonde"))) {
            List<Path> stored = files.toList();
            assertEquals(1, stored.size(), stored.toString());
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(stored.get(0))));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void acceptsKoreanArgumentsInALocaleWithoutKorean() throws Exception {
        CommandLine line = new CommandLine(home, Map.of("LC_ALL", "C", "RELAY_BASE_URL", stand.url("relay")));
        answers(line.run(List.of("--target", "relay", QUESTION), new byte[0]));
    }

    @Test
    void printsUtf8ForAnyFileEncoding() throws Exception {
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
    void runsInAHomeDirectoryThatTheLocaleCannotExpress() throws Exception {
        Map<String, String> settings =
                Map.of("LC_ALL", "C", "HOME", "/home/홍길동", "RELAY_BASE_URL", stand.url("relay"));
        answers(new CommandLine(home, settings).run(List.of("--target", "relay", QUESTION), new byte[0]));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void doesNotReadSettingsOfTheCurrentFolder() throws Exception {
        Files.writeString(home.resolve(".env"), "LITELLM_BASE_URL=ftp://elsewhere");
        CommandLine.Result result =
                new CommandLine(home, Map.of("HOME", ""), "-Duser.home=/nowhere").run(List.of("--target=direct", "Hello"), new byte[0]);
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

    /** Presses Ctrl-C once the token is stored: the run continues until the printed command cancels it. */
    private void interrupted(String kind, String... arguments) throws Exception {
        sandbox.fault(STAYS);
        CommandLine line = hearingOfInterrupts();
        Process process = line.start(List.of(arguments));
        Sandbox.until("the token is shown", () -> line.read("stderr").contains("invocation_token: ivt_"));
        interrupt(process);
        cancelled(kind, line.result(process));
    }

    private void interruptedUnknown(String kind, String... arguments) throws Exception {
        sandbox.fault(STAYS);
        CommandLine line = hearingOfInterrupts();
        long creates = sandbox.count("creates");
        Process process = line.start(List.of(arguments));
        Sandbox.until("the research is bought", () -> sandbox.count("creates") > creates);
        interrupt(process);
        cancelled(kind, line.result(process));
        assertEquals(creates + 1, sandbox.count("creates"));
    }

    private void cancelled(String kind, CommandLine.Result left) throws Exception {
        assertEquals(130, left.exit(), left.stderr());
        Matcher resumeHints = Pattern.compile(
                        "^sonde: (" + kind + "\\w+) is still running and incurs cost until it ends\n"
                                + "  to resume: sonde attach \\1\n  to cancel: sonde cancel \\1\n\\z",
                        Pattern.MULTILINE)
                .matcher(left.stderr());
        assertTrue(resumeHints.find(), left.stderr());
        CommandLine line = new CommandLine(home, Map.of("RELAY_BASE_URL", stand.url("relay")));
        CommandLine.Result result = line.run(List.of("cancel", resumeHints.group(1)), new byte[0]);
        assertEquals(0, result.exit(), result.stderr());
    }

    private CommandLine hearingOfInterrupts() {
        return new CommandLine(home, Map.of("RELAY_BASE_URL", stand.url("relay"))).hearingOfInterrupts();
    }

    private static void interrupt(Process process) throws Exception {
        int sent = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                .start()
                .waitFor();
        assertEquals(0, sent);
    }
}
