package sonde.client.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings as {@code KEY=VALUE} lines. */
final class EnvFile {
    private static final Pattern LINE =
            Pattern.compile("\\s*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)\\s*=\\s*(.*?)\\s*");
    private static final Pattern QUOTED = Pattern.compile("([\"'])(.*?)\\1.*");

    private EnvFile() {}

    /** Empty if the file does not exist or cannot be read, or if the locale lacks the characters of its path. */
    static Map<String, String> read(String folder) {
        try {
            return parse(new String(Files.readAllBytes(Path.of(folder, ".env")), StandardCharsets.UTF_8));
        } catch (IOException | InvalidPathException e) {
            return Map.of();
        }
    }

    /** Ignores all other lines. */
    static Map<String, String> parse(String text) {
        Map<String, String> values = new HashMap<>();
        for (String line : text.replaceFirst("^\uFEFF", "").split("\r\n|\n|\r")) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) values.put(matcher.group(1), unquoted(matcher.group(2)));
        }
        return values;
    }

    private static String unquoted(String value) {
        Matcher quoted = QUOTED.matcher(value);
        return quoted.matches() ? quoted.group(2) : value.replaceFirst("(^|\\s+)#.*$", "");
    }
}
