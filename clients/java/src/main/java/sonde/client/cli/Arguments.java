package sonde.client.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The arguments as they were given. */
final class Arguments {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private Arguments() {}

    /** Where the locale is not UTF-8, Java replaces what is beyond ASCII; Linux still has the bytes. */
    static List<String> of(String[] arguments) {
        List<String> given = List.of(arguments);
        boolean whole = given.stream().allMatch(argument -> argument.chars().allMatch(c -> c < 0x80));
        if (whole || !Files.isReadable(COMMAND_LINE)) return given;
        try {
            List<String> line = split(Files.readAllBytes(COMMAND_LINE));
            return line.size() < given.size() ? given : line.subList(line.size() - given.size(), line.size());
        } catch (IOException e) {
            return given;
        }
    }

    /** Each argument ends in a NUL. */
    private static List<String> split(byte[] line) {
        List<String> arguments = new ArrayList<>();
        int start = 0;
        for (int at = 0; at < line.length; at++) {
            if (line[at] != 0) continue;
            arguments.add(new String(line, start, at - start, StandardCharsets.UTF_8));
            start = at + 1;
        }
        return arguments;
    }
}
