package sonde.client.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Decoding of standard input and parsing of {@code ~/.env}. */
class InputTest {
    private static final String TEXT = "짜장면의 역사";

    @Test
    void decodesTheEncodingsOfKoreanSystems() {
        assertEquals(TEXT, Input.decode(TEXT.getBytes(StandardCharsets.UTF_8)));
        assertEquals(TEXT, Input.decode(("\uFEFF" + TEXT).getBytes(StandardCharsets.UTF_8)));
        assertEquals(TEXT, Input.decode(("\uFEFF" + TEXT).getBytes(StandardCharsets.UTF_16LE)));
        assertEquals(TEXT, Input.decode(("\uFEFF" + TEXT).getBytes(StandardCharsets.UTF_16BE)));
        assertEquals(TEXT, Input.decode(TEXT.getBytes(Charset.forName("x-windows-949"))));
    }

    @Test
    void usesTheOriginalArgumentsOnlyIfTheyMatch() {
        List<String> received = List.of("--json", "\uFFFD\uFFFD");
        assertEquals(List.of("--json", TEXT), Arguments.decoded(received, List.of("java", "--json", TEXT)));
        assertEquals(received, Arguments.decoded(received, List.of("java", "@file")));
        assertEquals(received, Arguments.decoded(received, List.of("java", "--stream", TEXT)));
        List<String> korean = List.of(TEXT);
        assertEquals(korean, Arguments.decoded(korean, List.of("java", "\uFFFD\uFFFD")));
        assertEquals(korean, Arguments.decoded(korean, List.of()));
    }

    @Test
    void rejectsStandardInputThatIsNotText() {
        byte[] bytes = {(byte) 0xFF, (byte) 0xFF, 0x20, (byte) 0x80};
        UsageError fault = assertThrows(UsageError.class, () -> Input.decode(bytes));
        assertEquals(
                "standard input is not UTF-8, UTF-16 with a byte order mark or code page 949", fault.getMessage());
    }

    @Test
    void rejectsAMissingPrompt() {
        UsageError fault = assertThrows(UsageError.class, () -> Input.prompt("\uFFFD\uFFFD", System.in));
        assertEquals(
                "the prompt has characters that this locale cannot take; give - and write it to standard input",
                fault.getMessage());
    }

    @Test
    void parsesSettingsOfOtherTools() {
        String file = "\uFEFF# comment\r\nA=1\r\n export B = \"two # 2\" # two\r\nC='3'\n"
                + "D=four # 4\nE=\nF=a#b\nno setting\n1X=2\n";
        assertEquals(
                Map.of("A", "1", "B", "two # 2", "C", "3", "D", "four", "E", "", "F", "a#b"), EnvFile.parse(file));
    }
}
