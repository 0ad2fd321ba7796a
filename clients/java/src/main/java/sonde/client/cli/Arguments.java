package sonde.client.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Decodes command-line arguments. */
final class Arguments {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private Arguments() {}

    /** In locales other than UTF-8, Java replaces non-ASCII characters; Linux still provides the original bytes. */
    static List<String> of(String[] arguments) {
        List<String> received = List.of(arguments);
        if (received.stream().allMatch(Arguments::isAscii) || !Files.isReadable(COMMAND_LINE)) return received;
        try {
            return decoded(received, split(Files.readAllBytes(COMMAND_LINE)));
        } catch (IOException e) {
            return received;
        }
    }

    /** The last arguments of the command line, unless they do not match those received. */
    static List<String> decoded(List<String> received, List<String> line) {
        if (line.size() < received.size()) return received;
        List<String> end = line.subList(line.size() - received.size(), line.size());
        for (int i = 0; i < end.size(); i++) {
            if (end.get(i).indexOf('\uFFFD') >= 0) return received;
            boolean same = isAscii(received.get(i)) ? end.get(i).equals(received.get(i)) : !isAscii(end.get(i));
            if (!same) return received;
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
