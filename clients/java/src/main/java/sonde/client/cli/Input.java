package sonde.client.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The prompt: the words given, or standard input. */
final class Input {
    /** Encoding of Korean Windows. */
    private static final String CODE_PAGE = "x-windows-949";

    private Input() {}

    static String prompt(String words, InputStream stdin) throws IOException {
        if (words.equals("-")) return read(stdin);
        if (isBlank(words))
            throw new UsageError("a prompt is required; pass it as an argument, or - to read it from standard input");
        if (words.indexOf('\uFFFD') >= 0)
            throw new UsageError("the prompt has characters that this locale cannot take;"
                    + " give - and write it to standard input");
        return words;
    }

    private static String read(InputStream stdin) throws IOException {
        String text = decode(stdin.readAllBytes());
        if (text.indexOf('\0') >= 0) throw new UsageError("standard input contains NUL characters");
        if (isBlank(text)) throw new UsageError("standard input is empty");
        return text;
    }

    /** Decodes UTF-8, UTF-16 with a byte order mark, or else code page 949. */
    static String decode(byte[] bytes) {
        for (Charset charset : candidates(bytes)) {
            try {
                String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
                return text.startsWith("\uFEFF") ? text.substring(1) : text;
            } catch (CharacterCodingException e) {
                // The next encoding is tried.
            }
        }
        throw new UsageError("standard input is not UTF-8, UTF-16 with a byte order mark or code page 949");
    }

    private static List<Charset> candidates(byte[] bytes) {
        int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xFF) << 8 | bytes[1] & 0xFF;
        if (mark == 0xFFFE) return List.of(StandardCharsets.UTF_16LE);
        if (mark == 0xFEFF) return List.of(StandardCharsets.UTF_16BE);
        if (!Charset.isSupported(CODE_PAGE)) return List.of(StandardCharsets.UTF_8);
        return List.of(StandardCharsets.UTF_8, Charset.forName(CODE_PAGE));
    }

    private static boolean isBlank(String text) {
        return text.codePoints().allMatch(c -> Character.isWhitespace(c) || Character.isSpaceChar(c));
    }
}
