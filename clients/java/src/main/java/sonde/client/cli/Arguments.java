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
        if (given.stream().allMatch(Arguments::isAscii) || !Files.isReadable(COMMAND_LINE)) return given;
        try {
            return meant(given, split(Files.readAllBytes(COMMAND_LINE)));
        } catch (IOException e) {
            return given;
        }
    }

    /** The end of the line, unless that is in the locale's encoding, or is no line of these arguments. */
    static List<String> meant(List<String> given, List<String> line) {
        if (line.size() < given.size()) return given;
        List<String> end = line.subList(line.size() - given.size(), line.size());
        for (int i = 0; i < end.size(); i++) {
            if (end.get(i).indexOf('\uFFFD') >= 0) return given;
            boolean same = isAscii(given.get(i)) ? end.get(i).equals(given.get(i)) : !isAscii(end.get(i));
            if (!same) return given;
        }
        return end;
    }

    private static boolean isAscii(String argument) {
        return argument.chars().allMatch(c -> c < 0x80);
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
